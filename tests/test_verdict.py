"""
The rule of the verdict: undefined beats negative beats zero, and nothing is believed that can be counted.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oraclekeep.errors import MissingEvidence
from oraclekeep.model import Finding, Lane, Outcome, RowKind, TestResult
from oraclekeep.rows import ROWS
from oraclekeep.verdict import Case, judge

from .scores import checked, finding, score

GREEN = Lane("suite", "green", (TestResult("t.py::a", Outcome.PASSED, seconds=0.5),), required=True)
RED = replace(GREEN, klass="red", blocking=(Finding("t.py", 0, "suite-red", "t.py::a", "failed"),))


def told(case: Case) -> tuple[str, str, int | None, int]:
    judged = judge(case)
    document = checked(judged.document)
    return document["decision"], document["state"], document["score"], int(judged.exit)


@pytest.mark.parametrize(
    ("given_score", "lanes", "expected"),
    [
        (score(), (GREEN,), ("allow", "ok", 0, 0)),
        (score(finding("property-added", 2, "note"), score=2, credit=2), (GREEN,), ("allow", "ok", 2, 0)),
        (score(), (RED,), ("reject", "undefined", None, 1)),
        (score(), (), ("reject", "undefined", None, 1)),
        (score(finding("oracle-removed", -1), score=-1), (GREEN,), ("reject", "negative", -1, 1)),
        (score(finding("oracle-removed", -1), score=1, credit=2), (GREEN,), ("reject", "negative", 1, 1)),
        (score(finding("oracle-removed", -1), score=-1), (RED,), ("reject", "undefined", None, 1)),
        (score(finding("fixture-drift")), (GREEN,), ("reject", "undefined", None, 1)),
        (score(finding("fixture-drift", gate="note")), (GREEN,), ("reject", "undefined", None, 1)),
        (score(finding("oracle-removed", gate="note")), (GREEN,), ("allow", "ok", 0, 0)),
        (score(score=-4), (GREEN,), ("reject", "negative", -4, 1)),
        (score(score=None), (GREEN,), ("reject", "undefined", None, 1)),
        (score(state="undefined"), (GREEN,), ("reject", "undefined", None, 1)),
        (score(state="negative"), (GREEN,), ("reject", "negative", 0, 1)),
        (score(decision="reject"), (GREEN,), ("reject", "negative", 0, 1)),
    ],
)
def test_the_decision_follows_from_findings_and_lanes(
    given_score: dict[str, Any], lanes: tuple[Lane, ...], expected: tuple[str, str, int | None, int]
) -> None:
    assert told(Case(score=given_score, lanes=lanes)) == expected


def test_observing_keeps_the_decision_and_exits_with_0() -> None:
    assert told(Case(score=score(), lanes=(RED,), mode="observe")) == ("reject", "undefined", None, 0)


def test_findings_of_the_verdict_itself_block_unless_their_row_is_a_note() -> None:
    noise = Finding("invariants/inventory.yaml", 0, "noise", "adds", "the witness disagrees")
    note = Finding("t.py", 0, "unproven-specimen", "t.py::a", "passes on base")

    assert told(Case(score=score(), lanes=(GREEN,), found=(noise,)))[:2] == ("reject", "undefined")
    assert told(Case(score=score(), lanes=(GREEN,), found=(note,)))[:2] == ("allow", "ok")


def test_credit_for_a_dead_property_is_withdrawn() -> None:
    given_score = score(finding("property-added", 2, "note", test="adds"), score=2, credit=2)
    document = judge(Case(score=given_score, lanes=(GREEN,), dead=frozenset({"adds"}))).document

    assert (document["score"], document["credit"], document["counts"]) == (0, 0, {"dead-property": 1})


@pytest.mark.parametrize(
    "document",
    [
        {},
        score(schema="oraclekeep/score/2"),
        score(findings=None),
        score(findings=[{}]),
        score(finding("no-such-row")),
        score(finding("oracle-removed", gate="maybe")),
        score(score="0"),
        score(score=True),
        score(state="fine"),
        score(decision="yes"),
    ],
)
def test_a_score_that_is_none_cannot_be_judged(document: dict[str, Any]) -> None:
    with pytest.raises(MissingEvidence):
        judge(Case(score=document, lanes=(GREEN,)))


def test_the_document_has_the_score_the_lanes_and_the_witness_in_a_stable_order() -> None:
    document = judge(Case(score=score(power={"base": 3, "head": 3}, extra=1), lanes=(GREEN,))).document

    assert list(document) == [
        "schema", "decision", "state", "score", "mode", "base", "merge_base", "head", "patch", "credit",
        "debit", "counts", "power", "fixture_digest", "intent", "reasons", "findings", "base_from",
        "not_judged", "uncommitted", "extra", "lanes", "witness",
    ]  # fmt: skip
    assert document["schema"] == "oraclekeep/verdict/1"
    assert document["lanes"]["suite"]["passed"] == 1
    assert document["lanes"]["suite"]["class"] == "green"


def test_what_blocks_comes_first_and_the_undefined_before_the_negative() -> None:
    given_score = score(finding("oracle-added", gate="note"), finding("oracle-removed", -1), score=-1)
    document = judge(Case(score=given_score, lanes=(RED,))).document

    assert [one["rule"] for one in document["findings"]] == ["suite-red", "oracle-removed", "oracle-added"]
    assert [reason.partition(":")[0] for reason in document["reasons"]] == ["suite-red", "oracle-removed"]


ANY_FINDING = st.builds(
    finding,
    rule=st.sampled_from(sorted(ROWS)),
    points=st.integers(min_value=-99, max_value=9),
    gate=st.sampled_from(["reject", "note"]),
)


@settings(derandomize=True, database=None, deadline=None)
@given(findings=st.lists(ANY_FINDING, max_size=4), more=ANY_FINDING, lane=st.sampled_from([GREEN, RED]))
def test_one_more_finding_never_turns_a_rejection_into_an_allow(
    findings: list[dict[str, Any]], more: dict[str, Any], lane: Lane
) -> None:
    before = judge(Case(score=score(*findings), lanes=(lane,)))
    after = judge(Case(score=score(*findings, more), lanes=(lane,)))
    checked(after.document)

    assert before.allows or not after.allows
    blocks = more["gate"] == "reject" or ROWS[more["rule"]].kind is RowKind.UNDEFINED
    assert not (blocks and after.allows)
