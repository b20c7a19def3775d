"""
A verdict as the page shows it: the same facts, sorted for a reader.  Pure; the template only lays them out.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from oraclekeep.reports import wording
from oraclekeep.reports.diffs import Piece
from oraclekeep.rows import ROWS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    Found = Mapping[str, Any]

#: Findings of one row that a group shows at once, and those that it can unfold; the rest is in verdict.json.
SHOWN: Final = 5
MOST: Final = 1000
_TESTS: Final = 200  # of one lane that did not pass
#: Per cent of a bar's width, so that one point beside ninety-nine can be seen.
THINNEST: Final = 0.8
#: What a lane came to -> its mark and its tone.
_MARKS: Final = {"green": ("✓", "good"), "skipped": ("·", "dim"), "optional-missing": ("·", "dim")}


@dataclass(frozen=True, slots=True)
class Group:
    """
    The findings of one row; ``advice`` is what to do where it is the same for all of them.
    """

    row: str
    kind: str
    observed: str
    points: int
    findings: tuple[Found, ...]
    advice: str

    @property
    def size(self) -> int:
        return len(self.findings)

    @property
    def first(self) -> tuple[Found, ...]:
        return self.findings[:SHOWN]

    @property
    def more(self) -> tuple[Found, ...]:
        return self.findings[SHOWN:MOST]

    @property
    def left_out(self) -> int:
        return max(0, len(self.findings) - MOST)


@dataclass(frozen=True, slots=True)
class LaneView:
    """
    One lane with a bar of its seconds and the tests of it that did not pass.
    """

    name: str
    klass: str
    mark: str
    tone: str
    optional: bool
    told: tuple[tuple[str, int], ...]  # how many tests came to what, where there are any
    seconds: str
    width: float
    tests: tuple[Found, ...]
    left_out: int


@dataclass(frozen=True, slots=True)
class Pair:
    """
    One thing that two runners say side by side.
    """

    what: str
    main: str
    witness: str

    @property
    def differs(self) -> bool:
        return self.main != self.witness


@dataclass(frozen=True, slots=True)
class Replay:
    """
    One witness beside its main run.
    """

    state: str
    tone: str
    title: str
    agreed: int
    pairs: tuple[Pair, ...] = ()
    differences: tuple[Mapping[str, Any], ...] = ()
    reasons: tuple[str, ...] = ()


def spans(text: str) -> tuple[Piece, ...]:
    """
    Cut a sentence at its backticks; what stands between two of them is code (and "differs" from the rest).
    """
    parts = text.split("`")
    if len(parts) % 2 == 0:
        return (Piece(text),)
    return tuple(Piece(part, bool(number % 2)) for number, part in enumerate(parts) if part)


def sentence(text: str) -> str:
    """
    Begin a sentence with a capital, unless it begins with a name.
    """
    return text[:1].upper() + text[1:] if re.match("[a-z]+('s)? ", text) else text


# --------------------------------------------------------------------------------------------- the decision


def tone(verdict: Found) -> str:
    """
    Return how the decision is coloured: good, bad, or watch for a rejection that is only observed.
    """
    if verdict["decision"] == "allow":
        return "good"
    return "watch" if verdict["mode"] == "observe" else "bad"


def commit(name: object) -> str:
    """
    Cut a commit's id, or that of `worktree:<tree>`, to what a person compares.
    """
    prefix, colon, oid = str(name or "").rpartition(":")
    return wording.one_line(f"{prefix}{colon}{oid[:12]}")


def first_notes(verdict: Found) -> list[Group]:
    """
    Return the notes that a reviewer must see before anything else.
    """
    return groups(one for one in wording.split(verdict)[1] if wording.comes_first(one))


def notes(verdict: Found) -> list[tuple[str, list[Group]]]:
    """
    Return what is only told, sorted.
    """
    return [(title, groups(found)) for title, found in wording.sorts(wording.split(verdict)[1])]


def groups(findings: Iterable[Found]) -> list[Group]:
    """
    Gather findings by row, in the order in which the verdict has them.
    """
    by_row: dict[str, list[Found]] = {}
    for one in findings:
        by_row.setdefault(one["rule"], []).append(one)
    return [_group(row, tuple(found)) for row, found in by_row.items()]


def _group(row: str, found: tuple[Found, ...]) -> Group:
    steps = {advice(one) for one in found}
    points = sum(one["points"] for one in found)
    same = steps.pop() if len(steps) == 1 else ""
    return Group(row, str(ROWS[row].kind), ROWS[row].observed, points, found, same)


def advice(finding: Found) -> str:
    """
    Return what to do about a finding; nothing where base allows it.
    """
    return "" if finding.get("allowed_by") else wording.one_line(finding.get("advice") or "")


# ------------------------------------------------------------------------------------------------ the lanes


def lanes(verdict: Found) -> list[LaneView]:
    """
    Return the lanes, each with a bar: they run apart from each other, so that all bars begin at 0.
    """
    found = verdict["lanes"]
    longest = max((lane["seconds"] or 0 for lane in found.values()), default=0)
    return [_lane(name, lane, longest) for name, lane in found.items()]


def _lane(name: str, lane: Found, longest: float) -> LaneView:
    bad = [one for one in lane["tests"] if one["outcome"] != "passed"]
    bad.sort(key=lambda one: one["outcome"] in {"skipped", "xfailed"})
    mark, tone = _MARKS.get(lane["class"], ("✕", "bad" if lane["required"] else "watch"))
    return LaneView(
        name=wording.one_line(name),
        klass=lane["class"],
        mark=mark,
        tone=tone,
        optional=not lane["required"] and lane["class"] != "optional-missing",
        told=tuple((key, lane[key]) for key in wording.COUNTS if lane[key]),
        seconds=wording.seconds(lane["seconds"]),
        width=round(max((lane["seconds"] or 0) / longest * 100, THINNEST), 2) if lane["seconds"] else 0.0,
        tests=tuple(bad[:_TESTS]),
        left_out=max(0, len(bad) - _TESTS),
    )


# ---------------------------------------------------------------------------------------------- the witness


def replays(verdict: Found) -> list[Replay]:
    """
    Return each witness beside its main run, what differs first.
    """
    told = verdict["witness"]
    return [] if told is None else [_replay(one) for one in told["runs"]]


def _replay(one: Found) -> Replay:
    main, other = wording.runner(one["main_runner"]), wording.runner(one["runner"])
    shard = f", shard {one['shard']}" if one["shard"] else ""
    signed = f", signed by {one['signed_by']}" if one["signed_by"] else ""
    return Replay(
        state=one["state"].replace("-", " "),
        tone={"agrees": "good", "same-machine": "dim"}.get(one["state"], "bad"),
        title=wording.one_line(f"{other} beside {main}{shard}{signed}"),
        agreed=one["agreed"],
        pairs=tuple(Pair(*map(wording.one_line, each)) for each in wording.environments(one)),
        differences=tuple(one["differences"]),
        reasons=tuple(map(wording.one_line, one["reasons"])),
    )


def record(verdict: Found) -> Iterator[tuple[str, list[str]]]:
    """
    Yield what is there for the record: names in full.
    """
    frozen = verdict.get("fixture_digest") or {}
    told = {
        "base": [verdict.get("base"), f"from {verdict['base_from']}" if verdict.get("base_from") else None],
        "merge base": [verdict.get("merge_base")],
        "head": [verdict.get("head")],
        "mode": [verdict.get("mode")],
        "behaviour may change in": verdict.get("intent") or [],
        "frozen inputs at head": [f"{tree} {digest}" for tree, digest in frozen.items()],
        "files that nobody could read": verdict.get("not_judged") or [],
    }
    for what, lines in told.items():
        if known := [wording.one_line(line, 600) for line in lines if line]:
            yield what, known
