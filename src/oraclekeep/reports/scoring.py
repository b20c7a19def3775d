"""
The scorer's answer alone: as JSON, for people, and as GitHub annotations.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from oraclekeep.model import RowKind
from oraclekeep.reports.wording import by_kind, one_line, place, printable, side

if TYPE_CHECKING:
    from oraclekeep.model import Charge
    from oraclekeep.pipeline import Score

SCHEMA = "oraclekeep/score/1"


def document(score: Score) -> dict[str, Any]:
    """
    Return `oraclekeep/score/1` (SPEC §8).
    """
    spend = score.spend
    return {
        "schema": SCHEMA,
        "decision": "reject" if spend.rejects else "allow",
        "state": str(spend.state),
        "score": spend.score,
        "base": score.range.base,
        "base_from": score.range.base_from,
        "merge_base": score.range.merge_base,
        "head": score.range.head,
        "patch": str(score.kind),
        "credit": spend.credit,
        "debit": spend.debit,
        "counts": dict(spend.counts),
        "power": {"base": score.power.base, "head": score.power.head},
        "power_delta": {"by_kind": dict(score.power.by_kind), "by_test": dict(score.power.by_test)},
        "fixture_digest": dict(score.fixture_digest),
        "intent": list(score.intent),
        "reasons": [_reason(charge) for charge in spend.charges if gate_of(charge) == "reject"],
        "findings": [_finding(charge) for charge in spend.charges],
        "not_judged": list(score.not_judged),
        "uncommitted": score.range.unjudged,
    }


def gate_of(charge: Charge) -> str:
    return "reject" if charge.kind in (RowKind.NEGATIVE, RowKind.UNDEFINED) else "note"


def _reason(charge: Charge) -> str:
    one = charge.finding
    place = f"{one.path}:{one.line}" if one.line else one.path
    test = f" ({one.test})" if one.test else ""
    return f"{place}: {one.row}: {one.message}{test}"


def _finding(charge: Charge) -> dict[str, Any]:
    one = charge.finding
    return {
        "rule": one.row,
        "path": one.path,
        "line": one.line,
        "test": one.test,
        "message": one.message,
        "before": one.before,
        "after": one.after,
        "points": charge.points,
        "gate": gate_of(charge),
        "advice": one.advice,
        "allowed_by": charge.allowed_by or None,
    }


def plain(doc: dict[str, Any]) -> str:
    """
    Say the decision, then why, then what to do.
    """
    lines = []
    if doc["uncommitted"]:
        lines.append(
            f"{doc['uncommitted']} uncommitted file(s) were not judged; use --worktree to include them."
        )
    shown = "undefined" if doc["score"] is None else str(doc["score"])
    span = f"{_short(doc['merge_base'])}..{_short(doc['head'])}, base from {doc['base_from']}"
    lines.append(f"{doc['decision'].upper()}  score {shown}  ({doc['patch']} patch, {span})")
    lines.append(f"oracle power of the touched tests: {doc['power']['base']} -> {doc['power']['head']}")
    if kinds := by_kind(doc):
        lines.append(f"  {kinds}")
    rejecting = [one for one in doc["findings"] if one["gate"] == "reject"]
    for title, chosen in (
        ("Why:", rejecting),
        ("Notes:", [one for one in doc["findings"] if one["gate"] != "reject"]),
    ):
        if chosen:
            lines += ["", title]
            for one in chosen:
                lines += _lines(one)
    lines += [f"not judged: {one_line(path)}" for path in doc["not_judged"]]
    if doc["patch"] == "empty":
        lines += ["", "The patch is empty: nothing was scored."]
    return "\n".join(lines)


def _short(name: str) -> str:
    """
    Cut a commit's id, or that of `worktree:<tree id>`, to what a person compares.
    """
    prefix, colon, oid = name.rpartition(":")
    return f"{prefix}{colon}{oid[:12]}"


def _lines(one: dict[str, Any]) -> list[str]:
    """
    Return one finding's lines; no name in it may begin a line of its own.
    """
    said = {key: one_line(value or "") for key, value in one.items()}
    points = f" [{one['points']:+d}]" if one["points"] else ""
    where = place(one)
    lines = [f"  {where}  {one['rule']}{points}  {said['test']}".rstrip(), f"      {said['message']}"]
    if one["gate"] == "reject":
        lines += [
            f"      {sign} {said[side]}" for sign, side in (("-", "before"), ("+", "after")) if said[side]
        ]
        lines.append(f"      next: {said['advice']}")
    elif one["allowed_by"]:
        lines.append(f"      allowed by {said['allowed_by']}")
    return lines


def github(doc: dict[str, Any]) -> str:
    """
    Return workflow commands that annotate the lines (GitHub, Forgejo, Gitea).

    They speak of head's lines; what is gone stood on one of base, and is told of the file.
    """
    lines = []
    for one in doc["findings"]:
        level = "error" if one["gate"] == "reject" else "notice"
        at_base = one["line"] > 0 and side(one) == "base"
        line = 1 if at_base else max(1, one["line"])
        fields = f"file={_escaped(one['path'])},line={line},title={_escaped(one['rule'])}"
        where = f" (line {one['line']} of base)" if at_base else ""
        lines.append(f"::{level} {fields}::{_data(one['message'] + where + '. ' + one['advice'])}")
    return "\n".join([*lines, f"{doc['decision']}: score {doc['score']}"])


def _data(text: str) -> str:
    """
    Escape text for a workflow command: after this it holds no line break and nothing that steers a terminal.
    """
    return printable(text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A"))


def _escaped(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
