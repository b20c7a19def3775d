"""
Finds what flips a property: it is replayed under variations, one at a time.
"""

from __future__ import annotations

import math
import shlex
import time
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

from .inventory_classes import FROZEN, GREEN, RED
from .inventory_workers import Workers
from .variations import VARIATIONS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from .inventory_workers import Settings

#: Runs under one variation that must agree; more where it is to explain what wobbles by itself.
_RUNS: Final = 2
_SURE: Final = 12
_SECONDS: Final = 120.0  # that noise nobody asked about may take


def diagnose(
    job: Mapping[str, Any],
    settings: Settings,
    ready: Sequence[dict[str, Any]],
    rows: Sequence[dict[str, Any]],
    until: float,
) -> None:
    """
    Add to each row that asks for it what flips its property, as `diagnosis` and in words.

    All properties are asked for by `--diagnose`; else those whose repeats disagree.  It ends when
    ``until`` has come.
    """
    if settings.vary or settings.repeats < 2:  # a run that is varied itself, or one repeat of something else
        return
    known = {row["prop_id"]: row for row in rows}
    cases = [_Case(one, known[one["id"]]) for one in ready]
    cases = [case for case in cases if settings.diagnose or (case.is_noise and case.row["status"] != FROZEN)]
    if not cases:
        return
    bench = _Bench(job, settings, min(until, math.inf if settings.diagnose else time.monotonic() + _SECONDS))
    for name, (_, values) in VARIATIONS.items():
        todo = [case for case in cases if case.applies(name)] if bench.has_time else []
        for case in todo:
            case.tried.append(name)
        for value in values:
            flipped = bench.flipped(f"{name}={value}", todo)
            todo = [case for case in todo if case not in flipped]
    for case in cases:
        case.tell()


@dataclass(eq=False)
class _Case:
    """
    One property that is asked about, and what was found.
    """

    one: dict[str, Any]
    row: dict[str, Any]
    flips: list[dict[str, str]] = field(default_factory=list)
    tried: list[str] = field(default_factory=list)

    @property
    def is_noise(self) -> bool:
        return len(set(self.row["repeats"])) > 1

    def applies(self, name: str) -> bool:
        """
        Return whether a variation can make a difference.
        """
        if name == "clock":
            return bool(self.one["clock"])
        return name != "order" or bool(self.one["fixture"])

    def flip(self, word: str, colour: str) -> None:
        """
        Keep what flips it, with the command that shows it again.
        """
        command = shlex.join(("oraclekeep", "inventory", "--only", self.one["id"], "--vary", word))
        self.flips.append({"vary": word, "colour": colour, "command": command})

    def tell(self) -> None:
        """
        Write the row's `diagnosis` and its sentence.
        """
        self.row["diagnosis"] = {"flips": self.flips, "tried": self.tried}
        said = _sentence(self.flips, self.tried, is_noise=self.is_noise)
        self.row["detail"] = "; ".join(filter(None, (self.row["detail"], said)))


class _Bench:
    """
    Replays several properties under one variation.
    """

    def __init__(self, job: Mapping[str, Any], settings: Settings, until: float) -> None:
        self._job, self._settings, self._until = dict(job), settings, until

    @property
    def has_time(self) -> bool:
        return time.monotonic() < self._until

    def flipped(self, word: str, cases: Sequence[_Case]) -> list[_Case]:
        """
        Return the cases that the variation gives one colour which the plain run had not.
        """
        first = self._colours(word, cases, _RUNS)
        noisy = [case for case in cases if case.is_noise and len(first[case]) == 1]
        # What wobbles by itself agrees with itself now and then.
        surely = self._colours(word, noisy, _SURE)
        found = []
        for case in cases:
            colours = first[case] | surely.get(case, set())
            if len(colours) == 1 and colours != set(case.row["repeats"]):
                case.flip(word, *colours)
                found.append(case)
        return found

    def _colours(self, word: str, cases: Sequence[_Case], runs: int) -> dict[_Case, set[str]]:
        found: dict[_Case, set[str]] = {case: set() for case in cases}
        workers = Workers(self._job, replace(self._settings, vary=(word,)))
        for _ in range(runs):
            steady = [case for case in cases if len(found[case]) < 2]
            if not steady or not self.has_time:
                break
            outcomes = workers.repeat([case.one for case in steady])
            for case in steady:
                found[case].add(outcomes[case.one["id"]]["colour"])
        return found


def _sentence(flips: Sequence[Mapping[str, str]], tried: Sequence[str], *, is_noise: bool) -> str:
    verb = "it is always" if is_noise else "it turns"
    told = [
        f"{verb} {_WORDS.get(flip['colour'], 'an error')} with {flip['vary']}: it depends on "
        f"{VARIATIONS[flip['vary'].partition('=')[0]][0]} (`{flip['command']}`)"
        for flip in flips
    ]
    if told:
        return "; ".join(told)
    names = ", ".join(tried)
    if is_noise:
        hint = "look for threads, addresses (`id`, `hash`) and what earlier runs left"
        return f"none of {names} explains it: {hint}"
    return f"none of {names} changes that"


_WORDS: Final = {GREEN: "green", RED: "red"}
