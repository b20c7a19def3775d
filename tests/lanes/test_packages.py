"""
A lane over several packages: each is started in its own folder, and none may be missing.
"""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

import pytest

from oraclekeep.lanekit.canaries import Rules, plant
from oraclekeep.lanekit.plan import slug

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from oraclekeep.model import Lane

GREEN = "from pathlib import Path\n\n\ndef test_here():\n    assert Path('pytest.ini').exists()\n"
RED = "def test_here():\n    assert 1 == 2\n"
INI = "[pytest]\ntestpaths = tests\n"


def two(gate: Callable[..., Any], one: str = GREEN, other: str = GREEN, **settings: Any) -> Any:
    """
    Prepare two packages with test modules of one name.
    """
    files = {
        "libs/a/pytest.ini": INI, "libs/a/tests/test_x.py": one,
        "libs/b/pytest.ini": INI, "libs/b/tests/test_x.py": other,
    }  # fmt: skip
    parts = [{"folder": f"libs/{name}", "config": f"libs/{name}/pytest.ini", "args": []} for name in "ab"]
    return gate({**files, **settings.pop("files", {})}, **{"packages": parts, **settings})


def states(lane: Lane) -> dict[str, str]:
    return {one.nodeid: str(one.outcome) for one in lane.results}


def test_modules_of_one_name_each_run_in_their_package(gate) -> None:
    made = two(gate)

    done = made.start()

    assert done.returncode == 0, done.stdout + done.stderr
    assert states(made.read()) == {
        "libs/a/tests/test_x.py::test_here": "passed",
        "libs/b/tests/test_x.py::test_here": "passed",
    }
    assert made.read().klass == "green"
    assert sorted(path.name for path in (made.folder / "junit").iterdir()) == [
        "suite@libs.a.xml",
        "suite@libs.b.xml",
    ]


def test_a_red_test_is_named_from_the_root(gate) -> None:
    made = two(gate, other=RED)

    assert made.start().returncode == 1
    assert [finding.test for finding in made.read().blocking] == ["libs/b/tests/test_x.py::test_here"]


def test_a_module_that_cannot_be_imported_is_named_from_the_root(gate) -> None:
    made = two(gate, other="import nothing_of_this_name\n")

    assert made.start().returncode == 1
    assert states(made.read())["libs/b/tests/test_x.py"] == "error"
    assert made.rows() == ["suite-red"]


def test_a_quarantine_names_the_test_from_the_root(gate) -> None:
    made = two(gate, other=RED, quarantine=["libs/b/tests/test_x.py::test_here"])

    assert made.start().returncode == 0
    assert made.read().blocking == ()


def test_a_package_that_left_nothing_blocks(gate) -> None:
    made = two(gate)
    made.start()
    for folder, suffix in (("junit", "xml"), ("evidence", "json")):
        (made.folder / folder / f"suite@libs.b.{suffix}").unlink()

    assert made.rows() == ["protocol-error"]
    assert "nothing came from package libs/b" in made.messages()


def test_a_report_of_a_package_that_the_run_lacks_blocks(gate) -> None:
    made = two(gate)
    made.start()
    run = made.run_json
    run["lanes"]["suite"]["packages"].pop()
    (made.folder / "run.json").write_text(json.dumps(run))

    assert "a package that this run does not have: libs/b" in made.messages()


def test_a_hook_in_one_package_taints_the_lane(gate) -> None:
    hook = (
        "import pytest\n\n@pytest.hookimpl(hookwrapper=True)\ndef pytest_runtest_makereport(item, call):\n"
        "    outcome = yield\n    outcome.get_result().outcome = 'passed'\n"
    )
    made = two(gate, other=RED, files={"libs/b/conftest.py": hook})

    assert made.start().returncode == 2
    assert "tainted-lane" in made.rows()


def test_a_packages_settings_may_stand_above_it(gate) -> None:
    """
    As where one `pytest.ini` at the root serves all: nodeids are counted from there.
    """
    parts = [{"folder": "libs/a", "config": "pytest.ini", "args": ["tests"]}]
    made = gate({"libs/a/tests/test_x.py": RED}, packages=parts)

    assert made.start().returncode == 1
    assert states(made.read()) == {"libs/a/tests/test_x.py::test_here": "failed"}


def test_what_skips_from_another_packages_product_is_seen(gate) -> None:
    product = "import pytest\n\n\ndef f():\n    pytest.skip('not today')\n"
    test = "import sys\nsys.path.append('../b/src')\nfrom b_pkg import f\n\n\ndef test_f():\n    f()\n"
    made = two(gate, one=test, files={"libs/b/src/b_pkg.py": product}, source=["libs/a/src", "libs/b/src"])

    assert made.start().returncode == 2
    assert "was skipped by the product itself, in libs/b/src/b_pkg.py:5" in made.messages()


def test_a_command_is_run_in_each_package_and_finds_its_file(gate) -> None:
    case = '<testcase classname="tests.test_x" name="test_a"/>'
    report = f"<testsuites><testsuite>{case}</testsuite></testsuites>"
    script = (
        "import os, sys\nassert os.getcwd().endswith(os.environ['GATE_PACKAGE'])\n"
        f"open(sys.argv[1].split('=')[1], 'w').write({report!r})\n"
    )
    words = [sys.executable, "../../run.py", "--to=${GATE_JUNIT}"]
    made = two(gate, files={"run.py": script}, command=words)

    done = made.start()

    assert done.returncode == 0, done.stdout + done.stderr
    assert sorted(states(made.read())) == ["libs.a.tests.test_x::test_a", "libs.b.tests.test_x::test_a"]


def test_a_command_that_leaves_no_file_says_where_one_is_wanted(gate) -> None:
    made = gate({}, command=[sys.executable, "-c", "pass"])

    done = made.start()

    assert done.returncode == 2
    assert "no JUnit file to $GATE_JUNIT" in done.stderr
    assert made.rows() == ["protocol-error"]


def test_a_shard_that_must_run_and_did_not_blocks(gate) -> None:
    made = gate({"tests/test_a.py": "def test_a():\n    assert 1\n"}, shards=["py311", "py313"])
    made.start(GATE_SHARD="py311")
    assert "nothing came from shard py313" in made.messages()

    made.start(GATE_SHARD="py313")

    assert made.read().blocking == ()


@pytest.mark.parametrize(
    ("folder", "name"), [("", "_"), (".", "_"), ("libs/a", "libs.a"), ("my_pkg-2", "my_pkg-2")]
)
def test_a_packages_name_in_a_file_name(folder: str, name: str) -> None:
    assert slug(folder) == name


def test_no_two_packages_share_a_file_name() -> None:
    folders = ["libs/a", "libs.a", "libs-a", "libs a", "libs@a", "_", "", "libs/a/"]

    assert len({slug(folder) for folder in folders}) == len(folders)


@pytest.mark.parametrize(
    "config", ["[pytest]\naddopts = --doctest-modules\n", "[pytest]\n"], ids=["run", "not run"]
)
def test_a_suite_of_examples_alone_has_canaries(gate, config: str) -> None:
    """
    Without any, nothing would show that the lane can turn red; without examples nothing ran.
    """
    module = 'def f():\n    """\n    >>> f()\n    1\n    """\n    return 1\n'
    made = gate({"pkg/told.py": module}, config=config)

    done = made.start()

    if "doctest" in config:
        assert done.returncode == 0, done.stdout
        assert states(made.read()) == {"pkg/told.py::told.f": "passed"}
        assert made.facts()["canaries"]
    else:
        assert done.returncode == 2
        assert "the lane ran nothing" in made.messages()


def test_a_stand_in_that_a_killed_run_left_is_planted_anew(tmp_path: Path) -> None:
    """
    It must not be taken for a test module, beside which another is planted.
    """
    first = plant(tmp_path, [], Rules(), "5eed")

    assert plant(tmp_path, [], Rules(), "5eed") == first
    assert [path.name for path in tmp_path.iterdir()] == [one.path for one in first]
