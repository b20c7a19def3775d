"""
How the score came about, as steps of a waterfall.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from oraclekeep.model import RowKind
from oraclekeep.reports import wording
from oraclekeep.reports.view import THINNEST, groups

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from oraclekeep.reports.view import Group


@dataclass(frozen=True, slots=True)
class Step:
    """
    One step of the budget, as a bar between two places of a scale from 0 to 100.
    """

    label: str
    count: int | None
    points: str
    tone: str  # loss, gain, idle (a credit that pays for nothing), undefined or total
    left: float
    width: float


@dataclass(frozen=True, slots=True)
class Budget:
    """
    How the score came about; ``zero`` is where the scale crosses 0.
    """

    steps: tuple[Step, ...] = ()
    zero: float = 0.0


def budget(verdict: Mapping[str, Any]) -> Budget:
    """
    Return the steps from 0 to the score, a row at a time; nothing where no row costs or earns.
    """
    blocking, told = wording.split(verdict)
    lost = [one for one in groups(blocking) if one.points]
    unknown = [one for one in groups(blocking) if one.kind == RowKind.UNDEFINED and not one.points]
    gained = [one for one in groups(told) if one.points > 0]
    if not lost and not unknown and not gained:
        return Budget()
    unused = gained if lost or unknown else []  # credits pay for no loss
    counted = [(one, "loss") for one in lost] + [(one, "gain") for one in gained if not unused]
    marks = list(accumulate((one.points for one, _ in counted), initial=0))
    score = verdict["score"]
    scale = _Scale((*marks, *(one.points for one in unused), score or 0))
    steps = [scale.step(one, tone, start) for (one, tone), start in zip(counted, marks, strict=False)]
    steps += [scale.step(one, "idle", 0) for one in unused]
    steps += [Step(one.row, len(one.findings), "undefined", "undefined", 0, 100) for one in unknown]
    if score is None:
        return Budget((*steps, Step("score", None, "undefined", "undefined", 0, 100)), scale.at(0))
    left, width = scale.between(0, score)
    return Budget((*steps, Step("score", None, f"{score:+d}", "total", left, width)), scale.at(0))


class _Scale:
    """
    Maps points to per cent of a bar's width.
    """

    def __init__(self, points: Sequence[int]) -> None:
        self._least, self._most = min(0, *points), max(0, *points)

    def at(self, points: float) -> float:
        span = self._most - self._least
        return round((points - self._least) / span * 100, 2) if span else 0.0

    def between(self, one: int, other: int) -> tuple[float, float]:
        left, right = sorted((self.at(one), self.at(other)))
        width = max(right - left, THINNEST)
        return round(min(left, 100 - width), 2), round(width, 2)

    def step(self, group: Group, tone: str, start: int) -> Step:
        left, width = self.between(start, start + group.points)
        return Step(group.row, len(group.findings), f"{group.points:+d}", tone, left, width)
