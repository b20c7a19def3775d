"""
A repository of several packages, `packages:` in gate.yaml: what is prepared for it, and how it is scored.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from oraclekeep.errors import ConfigError
from oraclekeep.prepare import Request, prepare

from .program import run as program

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.conftest import GitRepo

TEST = "from {0} import f\n\n\ndef test_f():\n    assert f(1) == 2\n    assert f(0) == 1\n"
PLACED = '[tool.pytest.ini_options]\ntestpaths = ["tests"]\n'
CODE = "def f(x):\n    return x + 1\n"


def package(
    name: str, settings: str = '[tool.pytest.ini_options]\ntestpaths = ["tests"]\n'
) -> dict[str, str]:
    return {
        f"libs/{name}/pyproject.toml": f'[project]\nname = "{name}"\nversion = "1"\n{settings}',
        f"libs/{name}/src/{name}/__init__.py": CODE,
        f"libs/{name}/tests/test_core.py": TEST.format(name),
    }


BASE: dict[str, str | bytes | None] = {
    **package("one"), **package("two"),
    "tests/test_whole.py": "def test_whole():\n    assert 1 + 1 == 2\n",
    "oracle/gate.yaml": "packages: [libs/one, libs/two]\n",
}  # fmt: skip


@pytest.fixture
def repo(make_repo: Callable[..., GitRepo]) -> GitRepo:
    repo = make_repo()
    repo.commit(BASE)
    repo.git("checkout", "--quiet", "-b", "patch")
    return repo


def lanes(repo: GitRepo) -> dict[str, Any]:
    return dict(prepare(repo.root, Request(base="main", today="2026-03-01"), {}).run["lanes"])


def parts(lane: dict[str, Any]) -> dict[str, tuple[str, list[str]]]:
    return {part["folder"]: (part["config"], part["args"]) for part in lane["packages"]}


def test_each_package_is_a_part_and_the_rest_is_run_from_the_root(repo: GitRepo) -> None:
    """
    Where a package's own settings place its tests, pytest is left to find them.
    """
    repo.commit({"libs/one/src/one/__init__.py": CODE + "\n\ndef g():\n    return 1\n"})

    assert parts(lanes(repo)["suite"]) == {
        "": (".oraclekeep-pytest.ini", ["tests"]),
        "libs/one": ("libs/one/pyproject.toml", []),
        "libs/two": ("libs/two/pyproject.toml", []),
    }


def test_characterization_and_specimens_have_the_packages_that_the_patch_touches(repo: GitRepo) -> None:
    repo.commit(
        {
            "libs/two/src/two/__init__.py": CODE + "\n\ndef g():\n    return 1\n",
            "libs/two/tests/test_core.py": TEST.format("two") + "    assert f(2) == 3\n",
        }
    )
    found = lanes(repo)

    for lane in ("characterization", "specimens"):
        assert parts(found[lane]) == {"libs/two": ("libs/two/pyproject.toml", ["tests/test_core.py"])}
    assert found["suite"]["specimens"] == ["libs/two/tests/test_core.py"]


def test_base_tests_run_under_the_packages_settings_of_base(repo: GitRepo) -> None:
    """
    Head's own must not deselect them; they are written beside.
    """
    pyproject = str(BASE["libs/two/pyproject.toml"]) + 'addopts = "-k nothing"\n'
    repo.commit(
        {"libs/two/pyproject.toml": pyproject, "libs/two/tests/test_core.py": TEST.format("two") + "\n"}
    )

    lane = lanes(repo)["characterization"]

    assert parts(lane) == {"libs/two": ("libs/two/.oraclekeep-pytest.toml", ["tests/test_core.py"])}
    config = repo.root / ".gate/trees/characterization/libs/two/.oraclekeep-pytest.toml"
    assert config.read_text() == BASE["libs/two/pyproject.toml"]


def test_a_package_without_settings_takes_those_above_it(make_repo: Callable[..., GitRepo]) -> None:
    repo = make_repo()
    repo.commit({**BASE, **package("two", ""), "pytest.ini": "[pytest]\ntestpaths = libs/*/tests tests\n"})
    repo.git("checkout", "--quiet", "-b", "patch")
    repo.commit({"README.md": "x\n"})

    assert parts(lanes(repo)["suite"]) == {
        "": ("pytest.ini", ["tests"]),
        "libs/one": ("libs/one/pyproject.toml", []),
        "libs/two": ("pytest.ini", ["tests"]),
    }


def test_a_package_of_examples_alone_is_a_part_too(make_repo: Callable[..., GitRepo]) -> None:
    """
    Its docstrings are its tests: without a part they would never run.
    """
    repo = make_repo()
    told = {
        "libs/told/pyproject.toml": '[tool.pytest.ini_options]\naddopts = "--doctest-modules"\n',
        "libs/told/told.py": 'def f():\n    """\n    >>> f()\n    1\n    """\n    return 1\n',
        "libs/plain/plain.py": "",
    }
    packages = "packages: [libs/one, libs/told, libs/plain]\n"
    repo.commit({**package("one"), **told, "oracle/gate.yaml": packages})
    repo.git("checkout", "--quiet", "-b", "patch")
    repo.commit({"README.md": "x\n"})

    assert parts(lanes(repo)["suite"]) == {
        "libs/one": ("libs/one/pyproject.toml", []),
        "libs/told": ("libs/told/pyproject.toml", []),
    }


def test_tests_beside_packages_are_named_one_by_one(make_repo: Callable[..., GitRepo]) -> None:
    """
    Their folder holds the packages, which run elsewhere.
    """
    repo = make_repo()
    repo.commit({**BASE, "libs/test_all.py": "def test_all():\n    assert 1\n"})
    repo.git("checkout", "--quiet", "-b", "patch")
    repo.commit({"README.md": "x\n"})

    assert parts(lanes(repo)["suite"])[""][1] == ["libs/test_all.py", "tests"]


def test_a_package_that_is_nowhere_is_refused(make_repo: Callable[..., GitRepo]) -> None:
    repo = make_repo()
    repo.commit({**BASE, "oracle/gate.yaml": "packages: [libs/one, libs/tow]\n"})
    repo.git("checkout", "--quiet", "-b", "patch")
    repo.commit({"README.md": "x\n"})

    with pytest.raises(ConfigError, match="no folder 'libs/tow'"):
        lanes(repo)


def test_a_patch_may_delete_a_package(repo: GitRepo) -> None:
    repo.commit(dict.fromkeys(package("two")))

    assert set(parts(lanes(repo)["suite"])) == {"", "libs/one"}


@pytest.mark.parametrize("packages", ["", "packages: [libs/one]\n"], ids=["one root", "packages"])
def test_collection_rules_of_a_package_are_its_own(make_repo: Callable[..., GitRepo], packages: str) -> None:
    """
    A check in a file that only its package's settings call a test counts where packages are named.
    """
    repo = make_repo()
    own = '[tool.pytest.ini_options]\npython_files = ["check_*.py"]\npython_functions = ["check"]\n'
    test = TEST.format("one").replace("test_f", "check_f")
    repo.commit(
        {
            **package("one", own),
            "libs/one/tests/check_core.py": test,
            "oracle/gate.yaml": f"source: [libs/one/src]\n{packages}",
        }
    )
    repo.git("checkout", "--quiet", "-b", "patch")
    repo.commit({"libs/one/tests/check_core.py": test.replace("    assert f(0) == 1\n", "")})

    rejecting = program(repo.root, "--base", "main", "--json").rejecting

    assert rejecting == (["oracle-removed"] if packages else [])


@pytest.mark.parametrize(
    ("after", "said"),
    [
        ("packages: [libs/one]\n", "`packages` changes"),
        ("packages: [libs/one, libs/two]\nlanes: {suite: {shards: [a]}}\n", "no longer needs its shard b"),
    ],
)
def test_fewer_packages_or_shards_are_shown(make_repo: Callable[..., GitRepo], after: str, said: str) -> None:
    repo = make_repo()
    repo.commit(
        {**BASE, "oracle/gate.yaml": f"{BASE['oracle/gate.yaml']}lanes: {{suite: {{shards: [a, b]}}}}\n"}
    )
    repo.git("checkout", "--quiet", "-b", "patch")
    repo.commit({"oracle/gate.yaml": after})

    answer = program(repo.root, "--base", "main")

    assert answer.code == 0
    assert said in answer.out


@pytest.mark.parametrize("testpaths", ['["libs/*/tests"]', '["libs/one/tests"]', '["libs"]'])
def test_places_of_tests_may_be_patterns(make_repo: Callable[..., GitRepo], testpaths: str) -> None:
    """
    As pytest itself has it: what they name is collected, and its loss is one.
    """
    repo = make_repo()
    repo.commit(
        {
            **package("one", ""),
            "pyproject.toml": f"[tool.pytest.ini_options]\ntestpaths = {testpaths}\n",
            "oracle/gate.yaml": "mode: enforce\n",
        }
    )
    repo.git("checkout", "--quiet", "-b", "patch")
    repo.commit({"pyproject.toml": "[tool.pytest.ini_options]\ntestpaths = ['docs']\n"})

    assert program(repo.root, "--base", "main", "--json").rejecting == ["collection-tampered"]


def test_lanes_that_run_the_suites_tests_have_its_surroundings(repo: GitRepo) -> None:
    """
    Not its command, which would run all of it; and not where something is said of them.
    """
    lanes_of = "lanes: {suite: {env: {A: x}, setup: [up], timeout: 5, command: [make], required: false}}\n"
    repo.commit({"oracle/gate.yaml": f"{BASE['oracle/gate.yaml']!s}{lanes_of}"})
    repo.git("branch", "--force", "main")
    repo.commit(
        {
            "libs/one/src/one/__init__.py": CODE + "\n\ndef g():\n    return 1\n",
            "libs/one/tests/test_core.py": TEST.format("one") + "    assert f(2) == 3\n",
        }
    )
    found = lanes(repo)

    for lane in ("characterization", "specimens"):
        told = {key: found[lane][key] for key in ("env", "setup", "timeout", "command")}
        assert told == {"env": {"A": "x"}, "setup": ["up"], "timeout": 5, "command": []}
    assert found["characterization"]["required"]
    assert found["properties"]["env"] == {}
