"""
Honest suites through a lane: each outcome under its own row, whatever a project's habits.
"""

from __future__ import annotations

import getpass
from typing import TYPE_CHECKING, Any

import pytest

from oraclekeep.lanes import excuse_drift

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

GREEN = """
import pytest

def test_adds():
    assert 1 + 1 == 2

@pytest.mark.parametrize("text", ["a::b", "x[y]", "p/q", "\\x00", "é"])
def test_text(text):
    assert text

class TestGroup:
    def test_inner(self):
        assert True
"""
RED = GREEN + "\ndef test_breaks():\n    assert sorted([2, 1]) == [2, 1]\n"


def test_a_green_suite_is_green_and_its_canaries_are_in_no_count(gate: Callable[..., Any]) -> None:
    made = gate({"tests/test_a.py": GREEN})

    done = made.start()
    lane = made.read()

    assert (done.returncode, lane.klass, lane.blocking) == (0, "green", ())
    assert {one.nodeid.partition("::")[0] for one in lane.results} == {"tests/test_a.py"}
    assert len(lane.results) == 7
    assert {one["outcome"] for one in made.facts()["canaries"]} == {"failed"}
    assert [path.name for path in (made.tree / "tests").glob("*.py")] == ["test_a.py"]
    assert b'tests="7"' in made.report.read_bytes()
    assert b'failures="0"' in made.report.read_bytes()


@pytest.mark.parametrize(
    ("lane", "settings", "row"),
    [
        ("suite", {}, "suite-red"),
        ("suite", {"specimens": ["tests/test_a.py"]}, "specimen-red"),
        ("characterization", {"args": ["tests/test_a.py"]}, "behaviour-drift"),
        ("properties", {"args": ["tests"]}, "property-red"),
    ],
)
def test_a_red_test_blocks_under_the_row_of_its_lane(
    gate: Callable[..., Any], lane: str, settings: dict[str, Any], row: str
) -> None:
    made = gate({"tests/test_a.py": RED}, lane=lane, **settings)

    done = made.start()
    read = made.read()

    assert (1, "red", [row]) == (done.returncode, read.klass, made.rows())
    assert [finding.test for finding in read.blocking] == ["tests/test_a.py::test_breaks"]


@pytest.mark.parametrize(
    ("lane", "settings"),
    [
        ("suite", {"quarantine": ["tests/test_a.py::test_breaks"]}),
        ("suite", {"specimens": ["tests/test_a.py"], "specimens_red": "report"}),
    ],
)
def test_what_the_owner_excuses_is_told_and_does_not_vote(
    gate: Callable[..., Any], lane: str, settings: dict[str, Any]
) -> None:
    made = gate({"tests/test_a.py": RED}, lane=lane, **settings)

    made.start()
    read = made.read()

    assert read.blocking == ()
    assert "tests/test_a.py::test_breaks" in {finding.test for finding in read.notes}


def test_drift_that_the_owner_intends_is_told_and_other_drift_blocks(gate: Callable[..., Any]) -> None:
    made = gate({"tests/test_a.py": RED}, lane="characterization", args=["tests"])
    made.start()

    excused = excuse_drift(made.read(), "tests/test_a.py::test_breaks".__eq__, "src/a.py is")
    other = excuse_drift(made.read(), "tests/test_a.py::test_adds".__eq__, "src/a.py is")

    assert (excused.blocking, excused.klass) == ((), "green")
    assert "behaviour-drift" in {note.row for note in excused.notes}
    assert (other.klass, other.notes) == (made.read().klass, made.read().notes)
    assert [one.message.endswith("; src/a.py is not listed as intended") for one in other.blocking] == [True]


def test_a_quarantined_nodeid_that_names_nothing_is_reported_as_lapsed(gate: Callable[..., Any]) -> None:
    made = gate({"tests/test_a.py": GREEN}, quarantine=["tests/test_a.py::test_text[gone]"])

    made.start()

    assert [note.row for note in made.read().notes if note.test] == ["ledger-lapsed"]


def test_a_quarantined_test_that_the_patch_changes_votes_and_is_said_to(gate: Callable[..., Any]) -> None:
    nodeid = "tests/test_a.py::test_breaks"
    made = gate({"tests/test_a.py": RED}, quarantine_changed=[nodeid])

    made.start()
    read = made.read()

    assert {finding.test for finding in read.blocking} == {nodeid}
    assert [(note.row, note.test) for note in read.notes] == [("ledger-lapsed", nodeid)]


def test_every_kind_of_outcome_stays_apart(gate: Callable[..., Any]) -> None:
    made = gate(
        {
            "tests/test_a.py": """
import unittest
import pytest

@pytest.fixture
def broken():
    raise RuntimeError("set-up")

@pytest.fixture
def messy():
    yield
    raise RuntimeError("teardown")

def test_setup(broken): pass
def test_teardown(messy): pass
def test_both(messy): assert not messy, 1 / 0
def test_skipped(): pytest.skip("later")
@pytest.mark.xfail
def test_xfailed(): assert 0
@pytest.mark.xfail
def test_xpassed(): pass
@pytest.mark.xfail(strict=True)
def test_strict(): pass
class TestOld(unittest.TestCase):
    def test_skips(self): raise unittest.SkipTest("old style")
    def test_fails(self): self.fail()
    @unittest.expectedFailure
    def test_expected(self): self.fail()
"""
        }
    )

    made.start()
    found = {one.nodeid.rpartition("::")[2]: str(one.outcome) for one in made.read().results}

    assert found == {
        "test_setup": "error",
        "test_teardown": "error",
        "test_both": "error",
        "test_skipped": "skipped",
        "test_xfailed": "xfailed",
        "test_xpassed": "xpassed",
        "test_strict": "failed",
        "test_skips": "skipped",
        "test_fails": "failed",
        "test_expected": "xfailed",
    }
    assert not [finding for finding in made.read().blocking if finding.row != "suite-red"]


def test_a_module_that_cannot_be_imported_is_red_and_does_not_taint_the_lane(
    gate: Callable[..., Any],
) -> None:
    made = gate(
        {"tests/test_a.py": GREEN, "tests/test_bad.py": "import nowhere_to_be_found\n\ndef test_x(): pass\n"}
    )

    done = made.start()
    read = made.read()

    assert (done.returncode, made.rows()) == (1, ["suite-red"])
    assert [finding.test for finding in read.blocking] == ["tests/test_bad.py"]


def test_a_lane_with_nothing_to_do_says_so(gate: Callable[..., Any]) -> None:
    made = gate({}, lane="properties", args=["oracle/properties"], empty_ok=True, required=False)

    done = made.start()

    assert (done.returncode, made.read().klass, made.read().blocking) == (0, "skipped", ())


def test_habits_of_configuration_do_not_change_the_answer(gate: Callable[..., Any]) -> None:
    """
    Options that stop early, choose by marker, rename the report or its cases are all in real projects.
    """
    config = (
        "[pytest]\naddopts = -q -x -m unit --junit-prefix=pre --lf\n"
        "testpaths = tests\npythonpath = src\nmarkers = unit\n"
    )
    files = {
        "src/product.py": "ANSWER = 42\n",
        "tests/unit/test_a.py": (
            "import pytest, product\n@pytest.mark.unit\ndef test_a(): assert product.ANSWER == 42\n"
        ),
        "tests/unit/test_b.py": (
            "import pytest\n@pytest.mark.unit\ndef test_b(): pass\ndef test_slow(): assert 0\n"
        ),
    }
    made = gate(files, config=config)

    done = made.start(PYTEST_ADDOPTS="--collect-only")
    read = made.read()

    assert (done.returncode, read.klass) == (0, "green"), made.messages()
    assert {"tests/unit/test_a.py::test_a", "tests/unit/test_b.py::test_b"} == {
        one.nodeid for one in read.results
    }


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("pytest.ini", "[pytest]\nnorecursedirs = .git tests/typing\n"),
        ("pytest.ini", "[pytest]\nnorecursedirs = typ*\n"),
        ("pytest.ini", "[pytest]\naddopts = -ra --ignore=tests/typing\n"),
        ("tests/conftest.py", "import sys\n\nif sys.version_info > (3,):\n    collect_ignore = ['typing']\n"),
        ("tests/typing/conftest.py", "collect_ignore_glob = []\ncollect_ignore_glob.append('test_*')\n"),
    ],
)
def test_no_canary_is_missed_where_pytest_does_not_look(
    gate: Callable[..., Any], path: str, text: str
) -> None:
    """
    Type-checked snippets, tests of another Python: a check that was never collected says nothing of meddling.
    """
    made = gate(
        {
            "tests/test_a.py": "def test_a():\n    assert 1\n",
            "tests/typing/test_b.py": "def test_b():\n    assert 0\n",
            "tests/typing/test_c.py": "def test_c():\n    assert 0\n",
            path: text,
        }
    )
    made.start()

    assert made.rows() == []
    assert {one["outcome"] for one in made.facts()["canaries"]} == {"failed"}


def test_unusual_collection_rules_still_get_canaries(gate: Callable[..., Any]) -> None:
    config = "[pytest]\npython_files = check_*.py\npython_functions = *_holds\n"
    made = gate({"checks/check_sum.py": "def sum_holds(): assert sum([1]) == 1\n"}, config=config)

    done = made.start()

    assert (done.returncode, made.read().klass) == (0, "green")
    assert made.facts()["canaries"]


def test_plugins_that_base_does_not_list_do_not_load_and_are_named(gate: Callable[..., Any]) -> None:
    pytest.importorskip("xdist")
    made = gate({"tests/test_a.py": GREEN}, config="[pytest]\naddopts = -n 2\n")

    done = made.start()

    assert (done.returncode, made.rows()) == (2, ["protocol-error"])
    assert "pytest-xdist" in made.messages()
    assert "plugins:" in made.messages()


def test_a_listed_plugin_loads_and_its_workers_are_seen(gate: Callable[..., Any]) -> None:
    pytest.importorskip("xdist")
    made = gate({"tests/test_a.py": RED}, config="[pytest]\naddopts = -n 2\n", plugins=["pytest-xdist"])

    done = made.start()
    read = made.read()

    assert (done.returncode, made.rows()) == (1, ["suite-red"]), made.messages()
    assert len(read.results) == 8


def test_a_lane_neither_clears_nor_leaves_temporary_folders(gate: Callable[..., Any], tmp_path: Path) -> None:
    text = "def test_a(tmp_path): (tmp_path / 'file').write_text('x')\n"
    made = gate({"tests/test_a.py": text}, config="[pytest]\naddopts = --basetemp=elsewhere\n")
    old = [tmp_path / "T" / f"pytest-of-{getpass.getuser()}" / f"pytest-{number}" for number in range(9)]
    for one in old:
        one.mkdir(parents=True)

    done = made.start(TMPDIR=str(tmp_path / "T"))

    assert (done.returncode, made.read().klass) == (0, "green")
    assert sorted(path for path in (tmp_path / "T").rglob("*")) == [old[0].parent, *old]
    assert not (made.tree / "elsewhere").exists()


def test_hypothesis_is_pinned_key_by_key_in_properties(gate: Callable[..., Any]) -> None:
    pytest.importorskip("hypothesis")
    made = gate(
        {
            "oracle/properties/conftest.py": (
                "from hypothesis import settings\nsettings.register_profile('loose', max_examples=1)\n"
                "settings.load_profile('loose')\n"
            ),
            "oracle/properties/test_p.py": (
                "from hypothesis import given, settings, strategies as st\n"
                "@given(st.integers())\ndef test_p(n): assert n == n\n"
                "def test_profile():\n    s = settings()\n"
                "    found = (s.max_examples, s.derandomize, s.database, s.deadline)\n"
                "    assert found == (100, True, None, None)\n"
            ),
        },
        lane="properties",
        args=["oracle/properties"],
    )

    done = made.start(CI="true")

    assert (done.returncode, made.read().klass) == (0, "green"), done.stdout
    assert len(made.facts()["canaries"]) == 4


def test_the_suite_sees_no_secrets_and_nothing_that_steers_it(gate: Callable[..., Any]) -> None:
    text = (
        "import os\ndef test_env():\n"
        "    gone = {'GITHUB_TOKEN', 'MY_SECRET', 'PYTEST_PLUGINS', 'ORACLEKEEP_LANE_PIPE'}\n"
        "    assert not gone & set(os.environ)\n"
        "    assert os.environ['LANE'] == 'yes' and 'HOME' in os.environ\n"
    )
    made = gate({"tests/test_env.py": text}, env={"LANE": "yes"})

    done = made.start(GITHUB_TOKEN="t", MY_SECRET="s", PYTEST_PLUGINS="nowhere", HOME="/")

    assert done.returncode == 0, done.stdout
