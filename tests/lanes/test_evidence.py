"""
Reports and evidence that do not fit each other, shards, missing lanes, and runners that are not pytest.
"""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

import pytest

from oraclekeep.lanes import read_files, read_lane, unproven
from oraclekeep.model import Lane, Outcome

if TYPE_CHECKING:
    from collections.abc import Callable

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


def rows(lane: Lane) -> list[str]:
    return sorted({finding.row for finding in lane.blocking})


def messages(lane: Lane) -> str:
    return "\n".join(finding.message for finding in lane.blocking)


def test_each_way_in_which_report_and_evidence_differ_has_its_own_message(gate: Callable[..., Any]) -> None:
    made = gate({"tests/test_a.py": GREEN})
    made.start()
    report, facts = made.report.read_bytes(), made.facts()
    seen: dict[str, str] = {}

    def note(name: str) -> None:
        read = made.read()
        assert read.blocking, name
        seen[name] = messages(read)
        made.report.parent.mkdir(exist_ok=True)
        made.report.write_bytes(report)
        made.evidence.write_text(json.dumps(facts))

    made.report.unlink()
    note("no report")
    made.evidence.unlink()
    note("no evidence")
    made.report.write_bytes(b"")
    note("zero bytes, other digest")
    made.report.write_bytes(report + b" ")
    note("changed afterwards")
    made.forge_report("")
    note("zero bytes")
    made.forge_report(report.decode()[:-40])
    note("truncated")
    made.forge_report("<testsuites/>")
    note("empty")
    made.forge_report(report.decode().replace("test_adds", "test_ghost"))
    note("ghost")
    made.forge_report(report.decode().replace('name="test_adds"', 'name=""'))
    note("nameless")
    for key, value in {
        "nonce": "0ther", "head": "d" * 40, "base": "d" * 40, "kit": "9.9", "lane": "properties",
        "exit_code": 0, "ended": "killed", "canaries": [], "extra": ["-k", "x"],
        "contradictions": ["a denies b"], "schema": "x",
        "stream": {}, "collected": [*facts["collected"], "tests/test_a.py::test_lost"],
    }.items():  # fmt: skip
        made.rewrite(**{key: value})
        note(key)
    made.rewrite(canaries=[{**facts["canaries"][0], "outcome": "passed"}])
    note("live canary")
    made.evidence.write_text("[]")
    note("evidence is a list")
    made.rewrite(stream={**facts["stream"], "tests/test_a.py::test_adds": "failed"})
    note("stream says failed")
    made.rewrite(collected=[*facts["collected"], "tests/test_a.py::test_adds"])
    note("ambiguous")
    (made.folder / "evidence" / "suite@again.json").write_text(json.dumps(facts))
    (made.folder / "junit" / "suite@again.xml").write_bytes(report)
    note("two for one shard")

    assert len(set(seen.values())) == len(seen)
    assert "its bytes changed afterwards" in seen["changed afterwards"]
    assert "never collected" in seen["ghost"]
    assert "same lane, shard and nonce" in seen["two for one shard"]


def test_shards_are_merged_and_the_worst_outcome_wins(gate: Callable[..., Any]) -> None:
    made = gate({"tests/test_a.py": GREEN})
    made.start(GATE_SHARD="py312")
    path = made.tree / "tests" / "test_a.py"
    path.write_text(GREEN.replace("1 + 1 == 2", "1 + 1 == 3"))
    made.start(GATE_SHARD="py313")
    read = made.read()

    assert rows(read) == ["suite-red"]
    assert Outcome.FAILED in {one.outcome for one in read.results if one.nodeid.endswith("test_adds")}
    assert len(read.results) == 7


def test_a_lane_that_never_ran_blocks_only_where_it_is_required(gate: Callable[..., Any]) -> None:
    made = gate({})
    run = made.run_json
    required = read_lane("suite", run, made.folder)
    run["lanes"]["suite"]["required"] = False
    optional = read_lane("suite", run, made.folder)
    run["lanes"]["witness"] = {**run["lanes"]["suite"], "required": True}

    assert (required.klass, rows(required)) == ("missing", ["protocol-error"])
    assert (optional.klass, optional.blocking) == ("optional-missing", ())
    assert rows(read_lane("witness", run, made.folder)) == ["witness-missing"]


def test_a_command_of_its_own_is_read_without_stream_and_said_to_be(gate: Callable[..., Any]) -> None:
    write = "import os,sys; open(os.environ['GATE_JUNIT'],'w').write(sys.argv[1]); sys.exit(int(sys.argv[2]))"
    red = "<testsuite><testcase classname='t' name='a'><failure/></testcase></testsuite>"
    made = gate({}, command=[sys.executable, "-c", write, red, "1"])

    done = made.start()
    read = made.read()

    assert (done.returncode, rows(read)) == (1, ["suite-red"])
    assert any("no canaries" in remark for remark in read.remarks)


def test_a_command_whose_exit_code_denies_its_report_is_contradictory(gate: Callable[..., Any]) -> None:
    write = "import os,sys; open(os.environ['GATE_JUNIT'],'w').write(sys.argv[1])"
    red = "<testsuite><testcase classname='t' name='a'><failure/></testcase></testsuite>"
    made = gate({}, command=[sys.executable, "-c", write, red])

    made.start()

    assert rows(made.read()) == ["protocol-error", "suite-red"]


def test_given_files_are_read_for_what_they_hold_and_known_to_be_unvouched() -> None:
    green = b"<testsuite><testcase classname='t' name='a'/></testsuite>"
    red = b"<testsuite><testcase classname='t' name='b'><error/></testcase></testsuite>"

    assert read_files("suite", [("a.xml", green)]).blocking == ()
    assert read_files("suite", [("a.xml", green)]).remarks
    assert rows(read_files("suite", [("a.xml", green), ("b.xml", red)])) == ["suite-red"]
    assert rows(read_files("suite", [("a.xml", b"")])) == ["protocol-error"]
    assert rows(read_files("suite", [("a.xml", b"<testsuites/>")])) == ["protocol-error"]


def test_new_tests_that_pass_on_base_are_named(gate: Callable[..., Any]) -> None:
    made = gate({"tests/test_a.py": GREEN}, lane="specimens", args=["tests/test_a.py"], required=False)
    made.start()
    specimens = made.read()
    base = Lane(
        "characterization", "green", tuple(one for one in specimens.results if "test_adds" not in one.nodeid)
    )

    assert [finding.test for finding in unproven([specimens, base])] == ["tests/test_a.py::test_adds"]


INVENTORY = {
    "pass": ("green", []),
    "frozen": ("green", []),
    "invariant_miss": ("red", ["invariant-miss"]),
    "noise": ("red", ["noise"]),
    "fixture_drift": ("red", ["fixture-drift"]),
    "protocol_error": ("protocol-error", ["protocol-error"]),
    "no such class": ("protocol-error", ["protocol-error"]),
}


def inventory(gate: Callable[..., Any], lane: str, status: str, **row: Any) -> Any:
    """
    Leave what an inventory lane leaves for one property.
    """
    made = gate({}, lane=lane)
    made.report.parent.mkdir(exist_ok=True)
    made.evidence.parent.mkdir(exist_ok=True)
    calm = status in {"pass", "frozen"}
    facts = {
        "schema": "oraclekeep/evidence/1", "lane": lane, "shard": "", "nonce": "5eed", "kit": "0.1.0",
        "base": "b" * 40, "head": "c" * 40, "ended": "finished", "exit_code": 0 if calm else 1,
        "junit_sha256": "", "canaries": [{"nodeid": "adds_shape", "outcome": "failed"}],
        "inventory": {"properties": [{"prop_id": "adds", "status": status, "detail": "said", **row}]},
    }  # fmt: skip
    made.evidence.write_text(json.dumps(facts))
    made.forge_report(
        f"<testsuite><testcase name='adds'>{'' if calm else '<failure/>'}</testcase></testsuite>"
    )
    return made


@pytest.mark.parametrize("status", INVENTORY)
def test_each_class_of_a_property_has_its_row(gate: Callable[..., Any], status: str) -> None:
    made = inventory(gate, "inventory", status)
    read = made.read()

    assert (read.klass, made.rows()) == INVENTORY[status]
    assert read.frozen == (status == "frozen")


def test_a_pending_property_is_told_and_does_not_vote(gate: Callable[..., Any]) -> None:
    made = inventory(gate, "inventory", "invariant_miss", votes=False)
    made.rewrite(exit_code=0)

    assert made.rows() == []
    assert [note.row for note in made.read().notes] == ["invariant-miss"]


def test_a_witness_never_votes_and_its_nonce_is_its_own(gate: Callable[..., Any]) -> None:
    made = inventory(gate, "witness", "invariant_miss")
    made.rewrite(nonce="another machine's")

    assert made.rows() == []
    made.rewrite(head="d" * 40)
    assert made.rows() == ["protocol-error"]


def test_an_inventory_is_checked_against_its_report_and_its_canaries(gate: Callable[..., Any]) -> None:
    made = inventory(gate, "inventory", "pass")
    made.rewrite(canaries=[])
    assert made.rows() == ["tainted-lane"]
    made.rewrite(canaries=[{"nodeid": "x", "outcome": "passed"}])
    assert made.rows() == ["tainted-lane"]
    made.rewrite(canaries=[{"nodeid": "x", "outcome": "failed"}])
    assert made.rows() == []
    made.forge_report("<testsuite><testcase name='adds'><failure/></testcase></testsuite>")
    assert made.rows() == ["protocol-error"]
    made.forge_report("<testsuite><testcase name='other'/></testsuite>")
    assert made.rows() == ["protocol-error"]
    made.rewrite(inventory=None)
    assert made.rows() == ["protocol-error"]


def test_a_proposal_needs_both_its_inventory_and_its_properties(gate: Callable[..., Any]) -> None:
    made = inventory(gate, "proposed", "pass")

    assert "must both have run" in made.messages()


def test_a_module_that_cannot_be_collected_says_why(gate: Callable[..., Any]) -> None:
    made = gate({"tests/test_a.py": "import a_module_that_nobody_has\n"})
    made.start()

    assert "suite: could not be collected: ModuleNotFoundError: No module named 'a_module" in made.messages()


@pytest.mark.parametrize(
    ("patch", "said"),
    [
        ({"patch": "agent"}, "changing the product"),
        ({"patch": "owner"}, "the test failed before"),
        ({"patch": "mixed", "adoption": True}, "the test failed before"),
    ],
)
def test_a_red_suite_is_not_laid_on_a_product_that_did_not_change(
    gate: Callable[..., Any], patch: dict[str, Any], said: str
) -> None:
    made = gate({"tests/test_a.py": RED})
    made.start()
    lane = read_lane("suite", {**made.run_json, **patch}, made.folder)

    assert [finding.row for finding in lane.blocking] == ["suite-red"]
    assert said in lane.blocking[0].advice


def test_a_lane_that_left_nothing_points_at_its_own_output(gate: Callable[..., Any]) -> None:
    lane = gate({}).read()

    assert "`nox -s suite`" in lane.blocking[0].advice


@pytest.mark.parametrize(
    ("ids", "told"),
    [
        (["1979-05-27T07:32:00", "{a, b}", "x{2,3}", "1600000000"], False),
        (["2026-12-01T00:00:01"], True),
        (["{'b', 'a'}"], True),
        (["<object object at 0x7fe2098c7370>"], True),
    ],
)
def test_ids_that_a_run_makes_up_are_told_and_written_ones_are_not(
    gate: Callable[..., Any],
    ids: list[str],
    told: bool,  # noqa: FBT001  # a case
) -> None:
    made = gate(
        {
            "tests/test_a.py": f"import pytest\n\n\n@pytest.mark.parametrize('text', {ids})\n"
            "def test_a(text):\n    assert text\n"
        }
    )
    made.start()

    assert any("differ in each run" in remark for remark in made.read().remarks) is told


@pytest.mark.parametrize(
    ("more", "told"), [("", False), ("\n@pytest.mark.skip\ndef test_waits():\n    pass\n", True)]
)
def test_plugins_that_were_not_loaded_are_told_where_a_test_may_have_needed_one(
    gate: Callable[..., Any],
    more: str,
    told: bool,  # noqa: FBT001  # a case
) -> None:
    made = gate({"tests/test_a.py": GREEN + more})
    made.start()
    made.rewrite(unlisted_plugins=["left-out"])

    assert any("left-out" in remark for remark in made.read().remarks) is told
