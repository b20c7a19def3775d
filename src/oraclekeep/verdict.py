"""
Score, lanes and witness to one verdict: the only place that says allow.

The decision is made anew from findings and lanes.  What the score says of itself can make it stricter and
never milder.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from oraclekeep.errors import Exit, MissingEvidence
from oraclekeep.model import Outcome, RowKind, State
from oraclekeep.rows import ROWS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from oraclekeep.model import Finding, Lane

SCHEMA: Final = "oraclekeep/verdict/1"
SCORE_SCHEMA: Final = "oraclekeep/score/1"
#: Keys that the verdict shares with the score, in this order; what else the score holds follows them.
_KEYS: Final[tuple[str, ...]] = (
    "decision", "state", "score", "mode", "base", "merge_base", "head", "patch", "credit", "debit", "counts",
    "power", "fixture_digest", "intent", "reasons", "findings",
)  # fmt: skip
_STATES: Final = (State.OK, State.NEGATIVE, State.UNDEFINED)


@dataclass(frozen=True, slots=True)
class Verdict:
    """
    One decision with its reasons, as a JSON document that every report is made from.
    """

    document: Mapping[str, Any]

    @property
    def allows(self) -> bool:
        return bool(self.document["decision"] == "allow")

    @property
    def exit(self) -> Exit:
        """
        What CI sees: a rejection that is only observed exits 0, and stays a rejection in every report.
        """
        return Exit.ALLOW if self.allows or self.document["mode"] == "observe" else Exit.REJECT


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """
    All that one patch is judged by.

    ``found`` are findings of the verdict itself (the witness' disagreement, say), which block unless their
    row is a note; ``dead`` names properties that no known fault turns red, whose credit is withdrawn.
    """

    score: Mapping[str, Any]
    lanes: tuple[Lane, ...]
    witness: Mapping[str, Any] | None = None
    found: tuple[Finding, ...] = ()
    dead: frozenset[str] = frozenset()
    mode: str = "enforce"


def judge(case: Case) -> Verdict:
    """
    Judge one patch.

    Raises `MissingEvidence` where the score is not one.
    """
    score, lanes = case.score, case.lanes
    check_score(score)
    findings = [dict(one) for one in score["findings"]]
    withdrawn = _withdraw(findings, case.dead)
    findings += [_as_json(one, blocks=ROWS[one.row].kind is not RowKind.NOTE) for one in case.found]
    for lane in lanes:
        findings += [_as_json(one, blocks=True, lane=lane.name) for one in lane.blocking]
        findings += [_as_json(one, blocks=False, lane=lane.name) for one in lane.notes]
    findings.sort(key=_weight)
    state = max(_said(score), *(map(_does, findings)), State.OK, key=_STATES.index)
    if not lanes:
        state = State.UNDEFINED
    number = None if state is State.UNDEFINED else score["score"] - withdrawn
    if number is not None and number < 0:
        state = State.NEGATIVE
    known: dict[str, Any] = {
        **score,
        "decision": "allow" if state is State.OK else "reject",
        "state": str(state),
        "score": number,
        "mode": case.mode,
        "credit": score.get("credit", 0) - withdrawn,
        "counts": dict(sorted(Counter(one["rule"] for one in findings).items())),
        "reasons": list(_reasons(score, findings, lanes)),
        "findings": findings,
    }
    ordered = {key: known[key] for key in _KEYS if key in known}
    rest = {key: value for key, value in known.items() if key not in ordered and key != "schema"}
    told = {lane.name: _lane_json(lane) for lane in sorted(lanes, key=lambda lane: lane.name)}
    return Verdict({"schema": SCHEMA, **ordered, **rest, "lanes": told, "witness": case.witness})


def check_score(score: Mapping[str, Any]) -> None:
    """
    Raise `MissingEvidence` where a document is not a score that could be judged.
    """
    wrong = ""
    findings = score.get("findings")
    if score.get("schema") != SCORE_SCHEMA:
        wrong = f"its schema is not {SCORE_SCHEMA}"
    elif not isinstance(findings, list) or not all(map(_is_finding, findings)):
        wrong = "its findings are not a list of findings"
    elif not (score.get("score") is None or _is_whole(score["score"])):
        wrong = "its score is neither a whole number nor null"
    elif score.get("state") not in list(map(str, State)) or score.get("decision") not in ("allow", "reject"):
        wrong = "it says no state or no decision"
    if wrong:
        raise MissingEvidence(f"the score can't be read: {wrong}; run `oraclekeep score` again")


def _is_finding(one: object) -> bool:
    return (
        isinstance(one, dict)
        and one.get("rule") in ROWS
        and one.get("gate") in ("reject", "note")
        and _is_whole(one.get("points"))
        and isinstance(one.get("path"), str)
        and _is_whole(one.get("line"))
    )


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _said(score: Mapping[str, Any]) -> State:
    """
    Return what the score says of itself.  A rejection that it does not explain is no less a rejection.
    """
    if score["score"] is None:
        return State.UNDEFINED
    state = State(score["state"])
    if state is State.OK and score["decision"] == "reject":
        return State.NEGATIVE
    return state


def _does(finding: Mapping[str, Any]) -> State:
    """
    Return what one finding does to the verdict: rows that are undefined can't be switched off.
    """
    kind = ROWS[finding["rule"]].kind
    if finding["gate"] == "note":
        lane = finding.get("lane")
        return State.UNDEFINED if kind is RowKind.UNDEFINED and not lane else State.OK
    return State.NEGATIVE if kind is RowKind.NEGATIVE else State.UNDEFINED


def _withdraw(findings: Sequence[dict[str, Any]], dead: frozenset[str]) -> int:
    """
    Take back the credit for dead properties and return how much it was.
    """
    total = 0
    for finding in findings:
        if finding["rule"] == "property-added" and finding.get("test") in dead:
            total += max(finding["points"], 0)
            finding.update(rule="dead-property", points=0, gate="note")
    return total


def _as_json(finding: Finding, *, blocks: bool, lane: str = "") -> dict[str, Any]:
    return {
        "rule": finding.row,
        "path": finding.path,
        "line": finding.line,
        "test": finding.test,
        "before": finding.before,
        "after": finding.after,
        "points": 0,
        "gate": "reject" if blocks else "note",
        "message": finding.message,
        "advice": finding.advice,
        **({"lane": lane} if lane else {}),
    }


def _weight(finding: Mapping[str, Any]) -> tuple[int, int, int, str, int, str]:
    """
    What blocks comes first, the undefined before the negative, the dear before the cheap, then by place.
    """
    rows = list(ROWS)
    rank = {State.UNDEFINED: 0, State.NEGATIVE: 1, State.OK: 2}[_does(finding)]
    order = rows.index(finding["rule"]) if rank == 2 else 0
    return rank, order, finding["points"], finding["path"], finding["line"], str(finding.get("test"))


def _reasons(
    score: Mapping[str, Any], findings: Sequence[Mapping[str, Any]], lanes: Sequence[Lane]
) -> Iterator[str]:
    """
    Yield one sentence for each thing that blocks; where nothing does, the score's own reasons.
    """
    against = list(dict.fromkeys(sentence(one) for one in findings if _does(one) is not State.OK))
    if not lanes:
        against.append("no lane was judged")
    if not against and _said(score) is not State.OK:
        against.append("the score rejects the patch without a finding that says why")
    own = [str(reason) for reason in score.get("reasons", ())]
    yield from dict.fromkeys(against or own)


def sentence(finding: Mapping[str, Any]) -> str:
    """
    Say a finding in one line: where, which row, what.
    """
    place = finding["path"] + (f":{finding['line']}" if finding["line"] else "")
    what = finding.get("message") or ROWS[finding["rule"]].observed
    about = finding.get("test") or ""
    return f"{finding['rule']}: {': '.join(part for part in (about or place, what) if part)}"


def _lane_json(lane: Lane) -> dict[str, Any]:
    outcomes = Counter(one.outcome for one in lane.results)
    return {
        "class": lane.klass,
        "required": lane.required,
        "passed": outcomes[Outcome.PASSED] + outcomes[Outcome.XPASSED],
        "failed": outcomes[Outcome.FAILED] + outcomes[Outcome.FLAKY] + outcomes[Outcome.UNKNOWN],
        "errors": outcomes[Outcome.ERROR],
        "skipped": outcomes[Outcome.SKIPPED] + outcomes[Outcome.XFAILED] - lane.frozen,
        "xfailed": outcomes[Outcome.XFAILED],
        "xpassed": outcomes[Outcome.XPASSED],
        "flaky": outcomes[Outcome.FLAKY],
        "frozen": lane.frozen,
        "seconds": lane.seconds,
        "remarks": list(lane.remarks),
        "tests": [
            {
                "nodeid": one.nodeid,
                "outcome": str(one.outcome),
                "seconds": one.seconds,
                "message": one.message,
            }
            for one in sorted(lane.results, key=lambda one: one.nodeid)
        ],
    }
