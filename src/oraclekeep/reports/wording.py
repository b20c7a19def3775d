"""
What all reports say in the same words, and text from outside made fit to print.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from oraclekeep.rows import FIRST, ROWS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

#: Controls, and the marks that reverse or hide text: a test's name must not steer a terminal or a reader.
_UNPRINTABLE: Final = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufffe\uffff\ud800-\udfff]"
)
COUNTS: Final = ("passed", "failed", "errors", "skipped", "frozen")
#: Notes that a reader is glad of.
GOOD_NEWS: Final = frozenset({"oracle-added", "skip-removed", "property-added"})


def printable(text: object) -> str:
    """
    Spell out what can't be seen.
    """
    return _UNPRINTABLE.sub(lambda match: f"\\x{ord(match[0]):02x}", str(text))


def one_line(text: object, limit: int = 300) -> str:
    """
    Return printable text without line breaks, cut where it grows too long.
    """
    line = " ".join(printable(text).split())
    return line if len(line) <= limit else line[: limit - 1] + "…"


def headline(verdict: Mapping[str, Any]) -> str:
    """
    Say the decision first.
    """
    allowed = verdict["decision"] == "allow"
    word = "allow" if allowed else "reject"
    observed = " (observed only: the exit code is 0)" if verdict["mode"] == "observe" and not allowed else ""
    score = "undefined" if verdict["score"] is None else f"score {verdict['score']}"
    return f"{word}, {score}{observed}"


def about(verdict: Mapping[str, Any]) -> str:
    """
    Say what was judged.
    """
    base, head = (str(verdict.get(key, "")).removeprefix("worktree:")[:12] for key in ("base", "head"))
    power = verdict.get("power") or {}
    measured = f"; oracle power {power['base']} → {power['head']}" if {"base", "head"} <= set(power) else ""
    return one_line(f"{verdict.get('patch', '')} patch, {base} → {head}{measured}")


def by_kind(doc: Mapping[str, Any]) -> str:
    """
    Say what the patch added and took by kind of check, the most first: `equality +3, exception type -1`.
    """
    found = doc.get("power_delta", {}).get("by_kind", {})
    return ", ".join(
        f"{kind} {count:+}" for kind, count in sorted(found.items(), key=lambda one: -abs(one[1]))
    )


def place(finding: Mapping[str, Any]) -> str:
    line = f":{finding['line']}" if finding["line"] else ""
    return one_line(f"{finding['path']}{line}")


def side(finding: Mapping[str, Any]) -> str:
    """
    Return the side whose lines a finding counts: base where nothing came after the check, else head.
    """
    return "base" if finding.get("before") is not None and finding.get("after") is None else "head"


def message(finding: Mapping[str, Any]) -> str:
    return one_line(finding.get("message") or ROWS[finding["rule"]].observed)


def price(finding: Mapping[str, Any]) -> str:
    """
    Say what a finding costs.
    """
    if finding["points"]:
        return f"{finding['points']:+d}"
    return str(ROWS[finding["rule"]].kind) if finding["gate"] == "reject" else "note"


def change(finding: Mapping[str, Any]) -> str:
    """
    Show a check before and after, or nothing where the finding has none.
    """
    before, after = sides(finding)
    if before is None and after is None:
        return ""
    return f"{'(nothing)' if before is None else before} → {'(nothing)' if after is None else after}"


def sides(finding: Mapping[str, Any], limit: int = 300) -> tuple[str | None, str | None]:
    """
    Return a check before and after, each in one line; long ones are cut around the place where they part.
    """
    told = [finding.get(key) for key in ("before", "after")]
    whole = [None if text is None else " ".join(printable(text).split()) for text in told]
    texts = [text for text in whole if text is not None]
    if max((len(text) for text in texts), default=0) <= limit:
        return whole[0], whole[1]
    start = max(0, _shared(*texts) - limit // 3) if len(texts) > 1 else 0
    cut = [None if text is None else _window(text, start, limit) for text in whole]
    return cut[0], cut[1]


def _shared(one: str, other: str) -> int:
    """
    Return how many characters two texts begin with in common.
    """
    pairs = enumerate(zip(one, other, strict=False))
    return next((number for number, (mine, theirs) in pairs if mine != theirs), min(len(one), len(other)))


def _window(text: str, start: int, limit: int) -> str:
    part = ("…" if start else "") + text[start:]
    return part if len(part) <= limit else part[: limit - 1] + "…"


def split(verdict: Mapping[str, Any]) -> tuple[Sequence[Mapping[str, Any]], Sequence[Mapping[str, Any]]]:
    """
    Return the findings that block and those that are only told, both in the verdict's order.
    """
    findings = verdict["findings"]
    return [one for one in findings if one["gate"] == "reject"], [
        one for one in findings if one["gate"] != "reject"
    ]


def summary(verdict: Mapping[str, Any]) -> str:
    """
    Say in a sentence what the decision rests on.
    """
    blocking, _ = split(verdict)
    if verdict["decision"] == "allow":
        return "Nothing that was found or run speaks against this patch."
    rows = list(dict.fromkeys(one["rule"] for one in blocking))
    named = ", ".join(rows[:3]) + (f" and {len(rows) - 3} more" if len(rows) > 3 else "")
    if not blocking:
        return "Rejected for a reason that stands below."
    many = "1 finding rejects" if len(blocking) == 1 else f"{len(blocking)} findings reject"
    if verdict["score"] is None:
        return (
            f"{many} it ({named}). While one of them is undefined there is no score, and nobody may allow it."
        )
    return f"{many} it ({named})."


def alerts(verdict: Mapping[str, Any]) -> list[str]:
    """
    Return what a reader must know before believing the rest.
    """
    found = []
    if verdict["mode"] == "observe" and verdict["decision"] != "allow":
        found.append("Observed only: base has `mode: observe`, so the exit code is 0 and nothing is blocked.")
    if verdict.get("patch") == "empty":
        found.append("The patch is empty: the lanes ran, and nothing was scored.")
    if count := verdict.get("uncommitted"):
        found.append(f"{count} uncommitted file{'s were' if count > 1 else ' was'} not judged.")
    return found


def comes_first(finding: Mapping[str, Any]) -> bool:
    """
    Tell whether a finding is a note that a reviewer must see before anything else.
    """
    return finding["rule"] in FIRST and finding["gate"] != "reject"


def sorts(told: Iterable[Mapping[str, Any]]) -> list[tuple[str, list[Mapping[str, Any]]]]:
    """
    Sort what is only told into what base allowed, other notes, and good news; what comes first is left out.
    """
    found: dict[str, list[Mapping[str, Any]]] = {"Allowed by base": [], "Notes": [], "Good news": []}
    for one in told:
        if not comes_first(one):
            title = "Good news" if one["rule"] in GOOD_NEWS else "Notes"
            found["Allowed by base" if one.get("allowed_by") else title].append(one)
    return [(title, findings) for title, findings in found.items() if findings]


def steps(findings: Sequence[Mapping[str, Any]]) -> list[str]:
    """
    Return what to do next, each step once.
    """
    return list(dict.fromkeys(one_line(one["advice"]) for one in findings if one.get("advice")))


def remarks(verdict: Mapping[str, Any]) -> list[str]:
    """
    Return what is to be said about the runs themselves, the same words of several lanes once.
    """
    said: dict[str, list[str]] = {}
    for name, lane in verdict["lanes"].items():
        for remark in lane["remarks"]:
            said.setdefault(one_line(remark, 600), []).append(name)
    return [f"{', '.join(names)}: {remark}" for remark, names in said.items()]


def witness(verdict: Mapping[str, Any]) -> list[str]:
    """
    Say in one line what the witnesses say; where one disagrees, both environments follow side by side.
    """
    told = verdict["witness"]
    if told is None:
        return []
    words = [_replay(one) for one in told["runs"]]
    lines = [one_line(f"witness: {'; '.join(words) or 'no witness'}")]
    for one in told["runs"]:
        if one["state"] == "disagrees":
            lines.append(one_line(f"{runner(one['main_runner'])} | {runner(one['runner'])}"))
            lines += [one_line(line) for line in _side_by_side(one)]
    return lines


def _replay(one: Mapping[str, Any]) -> str:
    rows = sorted({difference["row"] for difference in one["differences"] if difference["votes"]})
    why = f" ({', '.join(rows)})" if rows else ""
    signed = f", signed by {one['signed_by']}" if one.get("signed_by") else ""
    return f"{one['state'].replace('-', ' ')}{why}, {runner(one['runner'])}{signed}"


def runner(name: str) -> str:
    """
    Name a runner, also one that says no name.
    """
    return name or "a runner without a name"


def _side_by_side(one: Mapping[str, Any]) -> list[str]:
    return [
        f"{what}: {ours} | {theirs}{'' if ours == theirs else ' (differs)'}"
        for what, ours, theirs in environments(one)
    ]


def environments(one: Mapping[str, Any]) -> list[tuple[str, str, str]]:
    """
    Return what one witness' comparison knows of both environments: what it is, the main run's, the witness'.
    """
    environments = one["environment"]
    same = [key for key in ("os", "machine", "python", "tz", "locale") if key in environments["main"]]
    pairs = {key: (environments["main"][key], environments["witness"].get(key, "")) for key in same}
    pairs |= {other["what"]: (other["main"], other["witness"]) for other in one["environment_differences"]}
    return [(what, ours, theirs) for what, (ours, theirs) in pairs.items()]


def seconds(value: float | None) -> str:
    return "" if value is None else f"{value:.1f}"
