"""
A second runner's replay beside the main run: what agrees, what blocks and under which row, what is only told.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from oraclekeep.evidence import parse_evidence
from oraclekeep.judging import judge_run
from oraclekeep.junit import read_junit
from oraclekeep.lanekit.statement import statement
from oraclekeep.outcomes import by_name
from oraclekeep.replays import run_of, run_of_results
from oraclekeep.reports import REPORTERS
from oraclekeep.witness import Comparison, compare

from .gate_files import HERE, THERE, evidence, row, write_lane, write_run
from .inventory_trees import prop, tree
from .scores import checked
from .test_inventory_commands import lane as run_lane

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

A, B = row("adds"), row("sorts")
RED = row("adds", "invariant_miss")
WOBBLES = row("adds", "noise")
BROKEN = row("adds", "protocol_error")
PENDING = row("adds", votes=False)


def seen(main: Mapping[str, Any], *witnesses: Mapping[str, Any], required: bool = False) -> Comparison:
    runs = [run_of(parse_evidence(json.dumps(one).encode()), (), "w") for one in (main, *witnesses)]
    return compare(runs[:1], runs[1:], required=required)


def summary(found: Comparison) -> tuple[str, list[str], list[str]]:
    return (
        found.document["state"],
        [one.row for one in found.blocking],
        [one.row for one in found.notes],
    )


#: name -> (main's rows, the witness' rows, changes of its evidence, state, blocking rows, noted rows)
PAIRS: dict[str, tuple[Sequence[Any], Sequence[Any], dict[str, Any], str, list[str], list[str]]] = {
    "both green": ([A, B], [A, B], {}, "agrees", [], []),
    "both green elsewhere": ([A], [A], {"environment": THERE}, "agrees", [], []),
    "both red": ([RED], [RED], {"environment": THERE}, "agrees", [], []),
    "both frozen": ([row("adds", "frozen")], [row("adds", "frozen")], {}, "agrees", [], []),
    "nothing to replay": ([], [], {}, "agrees", [], []),
    "red there, same environment": ([A, B], [RED, B], {}, "disagrees", ["noise"], []),
    "red there, other environment": (
        [A], [RED], {"environment": THERE}, "disagrees", ["environment-drift"], [],
    ),
    "green there, other environment": (
        [RED], [A], {"environment": THERE}, "disagrees", ["environment-drift"], [],
    ),
    "only the number of CPUs differs": (
        [A], [RED], {"environment": {**HERE, "cpus": 1}}, "disagrees", ["environment-drift"], [],
    ),
    "wobbles there": ([A], [WOBBLES], {"environment": THERE}, "disagrees", ["noise"], []),
    "wobbles here": ([WOBBLES], [RED], {"environment": THERE}, "disagrees", ["noise"], []),
    "green under other pins there": (
        [A], [RED], {"environment": THERE, "varied": {"properties": [A]}}, "disagrees", ["noise"], [],
    ),
    "red under other pins only": ([A], [A], {"varied": {"properties": [RED]}}, "agrees", [], ["noise"]),
    "another seed": ([A], [row("adds", seed=2)], {}, "disagrees", ["protocol-error"], []),
    "another digest": (
        [A], [row("adds", fixture_sha256="0" * 64)], {}, "disagrees", ["protocol-error"], [],
    ),
    "frozen there": ([A], [row("adds", "frozen")], {}, "disagrees", ["protocol-error"], []),
    "frozen here": ([row("adds", "frozen")], [A], {}, "disagrees", ["protocol-error"], []),
    "missing there": ([A, B], [A], {}, "disagrees", ["protocol-error"], []),
    "one more there": ([A], [A, B], {}, "disagrees", ["protocol-error"], []),
    "an error among others": ([A, B], [BROKEN, B], {}, "disagrees", ["protocol-error"], []),
    "nothing came to an answer": ([A], [BROKEN], {}, "could-not-run", ["protocol-error"], []),
    "nothing did anywhere": ([BROKEN], [BROKEN], {}, "could-not-run", [], []),
    "pending": ([PENDING], [RED], {}, "agrees", [], ["noise"]),
    "the main run's machine": ([A], [A], {"runner": "first"}, "same-machine", [], []),
    "the main run's machine, unsteady": ([A], [RED], {"runner": "first"}, "same-machine", ["noise"], []),
    "no name": ([A], [A], {"runner": ""}, "protocol-error", ["protocol-error"], []),
    "no varied replay": ([A], [A], {"varied": None}, "protocol-error", ["protocol-error"], []),
    "a varied replay of less": (
        [A, B], [A, B], {"varied": {"properties": [A]}}, "protocol-error", ["protocol-error"], [],
    ),
    "a class nobody knows": ([A], [row("adds", "fine")], {}, "protocol-error", ["protocol-error"], []),
    "one property twice": ([A], [A, A], {}, "protocol-error", ["protocol-error"], []),
}  # fmt: skip


@pytest.mark.parametrize("name", PAIRS)
def test_each_pair_of_runs_has_its_state_and_its_rows(name: str) -> None:
    main, rows, changes, *expected = PAIRS[name]

    found = seen(evidence("inventory", *main), evidence("witness", *rows, **changes))

    assert summary(found) == tuple(expected)


def test_the_differences_of_two_environments_are_listed_side_by_side() -> None:
    found = seen(evidence("inventory", A), evidence("witness", RED, environment=THERE))
    one = found.document["runs"][0]

    assert one["environment_differences"] == [
        {"what": "os", "main": "Linux", "witness": "Darwin"},
        {"what": "python", "main": "3.12.1", "witness": "3.13.0"},
        {"what": "numpy", "main": "2.0", "witness": "2.1"},
    ]
    assert (one["runner"], one["main_runner"]) == ("second", "first")
    for part in ("os Linux / Darwin", "python 3.12.1 / 3.13.0", "numpy 2.0 / 2.1", "adds said so"):
        assert part in found.blocking[0].message


def test_the_pins_that_a_property_depends_on_are_named() -> None:
    witness = evidence("witness", A)
    witness["varied"]["properties"] = [RED]
    note = seen(evidence("inventory", A), witness).notes[0]

    assert note.test == "adds"
    assert note.message.endswith("pass under the pins, invariant_miss with LC_ALL=C, TZ=KIT-05:45")


@pytest.mark.parametrize(
    ("witnesses", "state", "rows"),
    [
        ([], "none", []),  # the lane itself says that it is missing
        ([evidence("witness", A)], "agrees", []),
        ([evidence("witness", A, runner="first")], "same-machine", ["witness-missing"]),
        ([evidence("witness", BROKEN)], "could-not-run", ["protocol-error", "witness-missing"]),
        ([evidence("witness", A, runner="first"), evidence("witness", A, shard="b")], "agrees", []),
        ([evidence("witness", A), evidence("witness", RED, shard="b")], "disagrees", ["noise"]),
    ],
)
def test_a_required_witness_must_be_another_runner_that_came_to_an_answer(
    witnesses: list[dict[str, Any]], state: str, rows: list[str]
) -> None:
    found = seen(evidence("inventory", A), *witnesses, required=True)

    assert summary(found)[:2] == (state, rows)


def test_a_witness_is_compared_with_the_main_run_of_its_own_shard() -> None:
    mains = [evidence("inventory", A, shard="py311"), evidence("inventory", RED, shard="py313")]
    witness = evidence("witness", RED, shard="py313")
    runs = [run_of(parse_evidence(json.dumps(one).encode()), (), "w") for one in (*mains, witness)]

    assert compare(runs[:2], runs[2:], required=False).document["state"] == "agrees"
    assert compare(runs[:1], runs[2:], required=False).document["state"] == "disagrees"
    alone = compare([], runs[2:], required=False)
    assert summary(alone)[:2] == ("protocol-error", ["protocol-error"])


# ---------------------------------------------------------------------------------------- through the verdict


def judged(tmp_path: Path, main: dict[str, Any], *witnesses: dict[str, Any], required: bool = False) -> Any:
    gate = tmp_path / ".gate"
    write_run(gate, {"inventory": {}, "witness": {"required": required}})
    for facts in (main, *witnesses):
        write_lane(gate, facts)
    found = judge_run(gate, tmp_path, ())
    checked(found.document)
    return found


def rejecting(document: Mapping[str, Any]) -> list[str]:
    return sorted({one["rule"] for one in document["findings"] if one["gate"] == "reject"})


@pytest.mark.parametrize(
    ("witness", "rows"),
    [
        (evidence("witness", A, nonce="another machine's"), []),
        (evidence("witness", A, head="0" * 40), ["protocol-error"]),
        (evidence("witness", A, base="0" * 40), ["protocol-error"]),
        (evidence("witness", A, policy_tree="0" * 40), ["protocol-error"]),
        (evidence("witness", A, inventory_sha256="0" * 64), ["protocol-error"]),
        (evidence("witness", A, inventory_sha256=""), ["protocol-error"]),
        (evidence("witness", A, kit="9.9"), ["protocol-error"]),
        (evidence("witness", A, canaries=[{"nodeid": "x", "outcome": "passed"}]), ["tainted-lane"]),
        (evidence("witness", A, canaries=[]), ["tainted-lane"]),
        (evidence("witness", RED), ["noise"]),
        (evidence("witness", RED, environment=THERE), ["environment-drift"]),
    ],
)
def test_what_a_witness_brings_decides(tmp_path: Path, witness: dict[str, Any], rows: list[str]) -> None:
    verdict = judged(tmp_path, evidence("inventory", A), witness)

    assert (verdict.allows, rejecting(verdict.document)) == (not rows, rows)
    assert verdict.document["witness"]["state"] in {"agrees", "protocol-error", "disagrees"}
    assert verdict.document["lanes"]["witness"]["class"] == {
        "": "green", "protocol-error": "protocol-error", "tainted-lane": "tainted",
    }.get(rows[0] if rows else "", "red")  # fmt: skip


def test_a_witness_never_turns_a_red_green(tmp_path: Path) -> None:
    verdict = judged(tmp_path, evidence("inventory", RED), evidence("witness", RED), required=True)

    assert rejecting(verdict.document) == ["invariant-miss"]
    assert verdict.document["witness"]["state"] == "agrees"


def test_a_missing_witness_blocks_where_it_is_required_and_is_one_line_elsewhere(tmp_path: Path) -> None:
    required = judged(tmp_path, evidence("inventory", A), required=True).document
    optional = judged(tmp_path, evidence("inventory", A)).document

    assert rejecting(required) == ["witness-missing"]
    assert (optional["decision"], optional["findings"]) == ("allow", [])
    for form in ("terminal", "md"):
        assert "witness: no witness" in REPORTERS[form](optional)
    assert "<dt>Witness</dt><dd>none" in REPORTERS["html"](optional)


def test_a_damaged_report_of_a_witness_is_said_once(tmp_path: Path) -> None:
    write_run(tmp_path / ".gate", {"inventory": {}, "witness": {"required": False}})
    for facts in (evidence("inventory", A), evidence("witness", A)):
        write_lane(tmp_path / ".gate", facts)
    (tmp_path / ".gate/junit/witness.xml").write_text("<testsuites/>")
    document = checked(judge_run(tmp_path / ".gate", tmp_path, ()).document)
    messages = [one["message"] for one in document["findings"]]

    assert document["decision"] == "reject"
    assert len(messages) == len(set(messages))
    assert sum("its bytes changed" in message for message in messages) == 1
    assert any("its bytes changed" in reason for reason in document["witness"]["runs"][0]["reasons"])


@pytest.mark.parametrize("form", ["terminal", "md"])
def test_reports_show_both_environments(tmp_path: Path, form: str) -> None:
    verdict = judged(tmp_path, evidence("inventory", A), evidence("witness", RED, environment=THERE))
    page = REPORTERS[form](verdict.document)

    assert "witness: disagrees (environment-drift), second" in page
    lines = ["first | second", "os: Linux | Darwin (differs)", "machine: x86_64 | x86_64", "numpy: 2.0 | 2.1"]
    places = [page.replace("\\|", "|").index(line) for line in lines]
    assert all(one < two for one, two in pairwise(places))


# ------------------------------------------------------------------------------------------- reports alone

FIRST = """<testsuite name="pytest">
<testcase classname="laws" name="test_adds"/><testcase classname="laws" name="test_parses"/>
<testcase classname="laws" name="test_lost"/><testcase classname="laws" name="test_on_gpu"/></testsuite>"""
SECOND = """<testsuite name="pytest">
<testcase classname="laws" name="test_adds"/>
<testcase classname="laws" name="test_parses"><failure message="assert '1,5' == '1.5'"/></testcase>
<testcase classname="laws" name="test_come"/>
<testcase classname="laws" name="test_on_gpu"><skipped type="pytest.skip" message="none here"/></testcase>
</testsuite>"""
ADDRESS, UUID = "<object object at 0x7f{}c7370>", "0b4b6d7e-9f0c-4c5e-8a55-0d9a7c3a6{}"
SHARED = Path(__file__).parents[2] / "shared" / "inputs"


def of_reports(first: str, second: str) -> Comparison:
    runs = [
        run_of_results(by_name(read_junit(text.encode(), "r.xml").records), "r") for text in (first, second)
    ]
    return compare(runs[:1], runs[1:], required=False)


def kinds(found: Comparison) -> dict[str, str]:
    return {one["prop_id"]: one["kind"] for one in found.document["runs"][0]["differences"]}


def test_two_reports_without_evidence_are_compared_test_by_test() -> None:
    found = of_reports(FIRST, SECOND)

    assert found.document["runs"][0]["agreed"] == 1
    assert kinds(found) == {
        "laws::test_parses": "disagree",
        "laws::test_lost": "missing",
        "laws::test_come": "extra",
        "laws::test_on_gpu": "weaker",
    }
    assert found.document["state"] == "disagrees"
    assert {one.test for one in found.blocking} == set(kinds(found))


def test_ids_that_change_in_each_run_are_named_once_per_function() -> None:
    def report(*marks: str) -> str:
        ids = [f"test_o[{ADDRESS.format(marks[0])}]", f"test_u[{UUID.format(marks[1])}]", "test_ok"]
        cases = "".join(f'<testcase classname="t" name="{one.replace("<", "&lt;")}"/>' for one in ids)
        return f"<testsuite>{cases}</testsuite>"

    found = of_reports(report("e209", "a11"), report("ef93", "b66"))

    assert found.document["runs"][0]["agreed"] == 1
    assert kinds(found) == {"t::test_o": "unstable", "t::test_u": "unstable"}
    assert [one.row for one in found.blocking] == ["protocol-error"] * 2
    assert "give ids=" in found.blocking[0].message


@pytest.mark.skipif(not SHARED.is_dir(), reason=f"{SHARED} is not there")
def test_shared_reports_that_disagree_are_rejected() -> None:
    folder = SHARED / "22-witness-disagreement"
    found = of_reports(*((folder / name).read_text() for name in ("first.xml", "witness.xml")))

    assert found.document["runs"][0]["agreed"] == 1
    assert sorted(kinds(found).values()) == ["disagree", "extra", "missing", "weaker"]


def test_given_reports_of_a_witness_are_compared_and_never_vote(tmp_path: Path) -> None:
    write_run(tmp_path / ".gate", {})
    (tmp_path / ".gate/run.json").unlink()
    for name, text in {"a.xml": FIRST, "b.xml": SECOND, "ok.xml": FIRST, "red.xml": SECOND}.items():
        (tmp_path / name).write_text(text)
    suites = ["suite=ok.xml", "characterization=ok.xml"]

    def rows(*given: str) -> list[str]:
        return rejecting(judge_run(tmp_path / ".gate", tmp_path, [*suites, *given]).document)

    assert rows("inventory=a.xml") == []
    assert rows("inventory=a.xml", "witness=ok.xml") == []
    assert rows("inventory=a.xml", "witness=b.xml") == ["noise", "protocol-error"]
    assert rows("inventory=b.xml", "witness=red.xml") == ["invariant-miss"]
    assert rows("witness=ok.xml") == ["protocol-error"]


# ---------------------------------------------------------------------------------------------- a real replay


def test_a_replay_is_a_statement_about_commit_policy_and_inventory(tmp_path: Path) -> None:
    """
    Both lanes for real: the replay agrees, and its evidence says the same to whoever reads in-toto.
    """
    files = {"samples.json": "[1]", "src/product.py": "def good(s): return s\ndef bad(s): raise ValueError\n"}
    found = {}
    for lane, runner in (("inventory", "first"), ("witness", "second")):
        root = tree(tmp_path / runner, files, [prop("product.good"), prop("product.bad")])
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("ORACLEKEEP_RUNNER", runner)
            _, found[lane], _ = run_lane(root, lane)
    main, witness = found["inventory"], found["witness"]

    assert summary(seen(main, witness)) == ("agrees", [], [])
    assert witness["_type"] == "https://in-toto.io/Statement/v1"
    assert witness["predicateType"] == "https://in-toto.io/attestation/test-result/v0.1"
    assert [one["name"] for one in witness["subject"]] == ["head", "policy", "inventory"]
    assert witness["subject"] == main["subject"]
    assert witness["subject"][0]["digest"] == {"gitCommit": witness["head"]}
    assert witness["subject"][2]["digest"] == {"sha256": witness["inventory_sha256"]}
    predicate = witness["predicate"]
    assert (predicate["result"], predicate["passedTests"], predicate["failedTests"]) == (
        "FAILED", ["product.good"], ["product.bad"],
    )  # fmt: skip
    assert predicate["configuration"][0]["annotations"]["runner"] == "second"


#: Floats are added up with more care from Python 3.12 on; where the zone has no summer time nobody notices.
MOODY = """
import time
def adds(s): assert repr(sum([0.1] * 10)) == REPR
def joins(s): assert "".join({"a", "b", "c", "d"}) == ORDER
def dates(s): assert time.localtime(0).tm_hour == 0
"""


def another_python() -> str:
    """
    Return an interpreter from the other side of 3.12, or nothing.
    """
    old = sys.version_info < (3, 12)
    for name in ("python3.13", "python3.12", "python3.14") if old else ("python3.11",):
        found = shutil.which(name)
        done = subprocess.run((found, "-V"), capture_output=True, check=False) if found else None
        if found and done is not None and done.returncode == 0:
            return str(found)
    return ""


@pytest.mark.skipif(not another_python(), reason="needs a Python from the other side of 3.12")
def test_a_real_drift_between_two_pythons_is_found_and_named(tmp_path: Path) -> None:
    """
    Two runner ids on one machine; what the pins hide shows in the varied replay.
    """
    fixed = {"PYTHONHASHSEED": "0", "PATH": ""}
    here, order = (
        subprocess.run(
            (sys.executable, "-c", code), env=fixed, capture_output=True, check=True
        ).stdout.decode()
        for code in ("print(end=repr(sum([0.1] * 10)))", "print(end=''.join({'a', 'b', 'c', 'd'}))")
    )
    source = MOODY.replace("REPR", repr(here)).replace("ORDER", repr(order))
    files = {"samples.json": "[1]", "src/product.py": source}
    properties = [prop(f"product.{name}") for name in ("adds", "joins", "dates")]
    found = []
    for name, runner, python in (
        ("inventory", "first", sys.executable), ("witness", "second", another_python()),
    ):  # fmt: skip
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("ORACLEKEEP_RUNNER", runner)
            found.append(run_lane(tree(tmp_path / runner, files, properties), name, python=python)[1])
    compared = seen(*found)

    assert summary(compared) == ("disagrees", ["environment-drift"], ["noise", "noise"])
    assert compared.blocking[0].test == "product.adds"
    ours, theirs = (one["environment"]["python"] for one in found)
    assert f"python {ours} / {theirs}" in compared.blocking[0].message
    assert {note.test for note in compared.notes} == {"product.joins", "product.dates"}
    assert all("TZ=KIT-05:45" in note.message for note in compared.notes)


def test_no_statement_is_made_of_a_working_copy() -> None:
    assert statement({"head": "worktree:" + "a" * 40}, {}, tainted=False) == {}


def test_properties_that_cannot_run_yet_leave_room_for_a_check_that_must_fail(tmp_path: Path) -> None:
    """
    Copies of pending properties would end in errors and show nothing.
    """
    files = {"samples.json": "[1]", "src/product.py": "def good(s): return s\n"}
    later = [prop(f"product.later{number}", pending=True) for number in range(4)]
    _, facts, _ = run_lane(tree(tmp_path / "repo", files, [*later, prop("product.good")]), "inventory")

    assert [one["outcome"] for one in facts["canaries"]] == ["failed"]
    assert facts["exit_code"] == 0
