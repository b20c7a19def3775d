"""
Two sides' machinery compared by what runs: the losses, each with its place, its sentence and both texts.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from oraclekeep.machinery import sessions
from oraclekeep.machinery.commands import narrower
from oraclekeep.machinery.edits import edited
from oraclekeep.machinery.jobs import Weakness, checked_out, jobs_in, needs_lost, privileged
from oraclekeep.machinery.limits import Limits, looser
from oraclekeep.machinery.matrices import let_off
from oraclekeep.machinery.pysource import load_or_none
from oraclekeep.machinery.runs import SOFT, events_lost, is_ci_yaml, narrowed
from oraclekeep.machinery.settings import settings_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from oraclekeep.machinery.reach import Machinery
    from oraclekeep.machinery.runs import Run


def weakened(before: Machinery, after: Machinery, changed: list[str]) -> Iterator[Weakness]:
    """
    Yield what the second side's machinery checks less.
    """
    judge = _Judge(before, after)
    nox = frozenset(module.path for side in (before, after) for module in side.session_files)
    for path in changed:
        yield from judge.silenced(path)
    yield from judge.unreached()
    for path in changed:
        yield from judge.dropped(path)
        if is_ci_yaml(path):
            yield from needs_lost(path, before, after)
            yield from privileged(path, before, after)
            yield from checked_out(path, before, after)
            yield from let_off(path, before, after)
        yield from edited(path, before, after)
        if path in nox:
            yield from judge.sessions()
            nox = frozenset()


class _Judge:
    def __init__(self, before: Machinery, after: Machinery) -> None:
        self._before, self._after = before, after
        self._base_paths = settings_of(before.tree).testpaths
        self._head_paths = settings_of(after.tree).testpaths
        self._told: set[tuple[str, str]] = (
            set()
        )  # checks already reported, each with the kind of its weakness
        self._old, self._new = Limits(before.tree), Limits(after.tree)
        self._floored = self._old.has_floor(before.all_runs())

    # ---------------------------------------------------------------------------------------- the questions

    def silenced(self, path: str) -> Iterator[Weakness]:
        """
        A check of this file that had a voice has none here any more, whatever runs elsewhere.
        """
        mine = self._after.runs(path)
        for run in self._before.runs(path):
            if run.masked or not run.check.group:
                continue
            mates = [other for other in mine if self._covers(other, run)]
            mate = next((other for other in mates if other.unit == run.unit), mates[0] if mates else run)
            if mates and all(other.masked for other in mates):
                yield from self._tell(run, mate, "mask", f"may now fail unnoticed: {mate.why_masked}")
            elif (
                mates
                and not is_ci_yaml(path)
                and run.check.group not in SOFT
                and all(_held_back(run, other) for other in mates)
            ):
                yield from self._tell(
                    run, mate, "condition", f"now runs only under a condition: {_held_back(run, mate)}"
                )

    def unreached(self) -> Iterator[Weakness]:
        """
        A check that CI reached at base is not reached at head, or less often.
        """
        for run in self._before.reached:
            if not run.masked and run.check.group and (run.check.shown, "gone") not in self._told:
                yield from self._missing(run, self._after.reached, reached=True)

    def dropped(self, path: str) -> Iterator[Weakness]:
        """
        A check that stood here, outside of CI's reach, is in no file any more or under a new condition.
        """
        if is_ci_yaml(path) or path not in (*self._before.paths, "pyproject.toml"):
            return  # a script that only CI names counts as far as CI reaches into it
        reached = {(run.check.tool, run.check.key) for run in self._before.reached}
        for run in self._before.runs(path):
            if run.masked or not run.check.group or (run.check.shown, "gone") in self._told:
                continue
            if (run.check.tool, run.check.key) not in reached:
                yield from self._missing(run, self._after.all_runs(), reached=False)

    def sessions(self) -> Iterator[Weakness]:
        """
        What a bare `nox` runs: a session that left the list must have its checks in another one.
        """
        modules = [load_or_none(side.tree, "noxfile.py") for side in (self._before, self._after)]
        if modules[0] is None or modules[1] is None:
            return
        names, line = self._after.default_sessions()
        old = self._default(self._before, self._before.default_sessions()[0])
        new = self._default(self._after, names)
        for run in old:
            voiced = not run.masked and run.check.group not in ("", *SOFT)
            kept = any(self._covers(other, run) and not _held_back(run, other) for other in new)
            if voiced and not kept and not self._was_told(run):
                self._told.add((run.check.shown, "gone"))
                shown = f"sessions = {', '.join(names)}" if names is not None else ""
                yield Weakness(
                    "noxfile.py",
                    line,
                    f"`{run.check.shown}`",
                    f"no longer runs in a bare `nox` (session {run.unit})",
                    run.unit,
                    shown,
                )
        if sessions.option_is_on(modules[0], "error_on_missing_interpreters") and not sessions.option_is_on(
            modules[1], "error_on_missing_interpreters"
        ):
            name = "error_on_missing_interpreters"
            yield Weakness(
                "noxfile.py",
                1,
                "A missing Python",
                "now skips a session, and the run passes",
                f"{name} = True",
            )

    @staticmethod
    def _default(side: Machinery, names: tuple[str, ...] | None) -> list[Run]:
        hidden = side.hidden_sessions()
        return [
            run
            for run in side.session_runs()
            if (run.unit in names if names is not None else run.unit not in hidden)
        ]

    def _was_told(self, run: Run) -> bool:
        return any(shown == run.check.shown for shown, _ in self._told)

    # ---------------------------------------------------------------------------------------- the answers

    def _missing(self, run: Run, others: tuple[Run, ...], *, reached: bool) -> Iterator[Weakness]:
        mates = [other for other in others if self._covers(other, run)]
        if not mates:
            if not self._together(run, others) and not self._replaced(run, others):
                yield self._gone(run, others, reached=reached)
            return
        voiced = [other for other in mates if not other.masked]
        if not voiced:
            yield from self._tell(run, mates[0], "mask", f"may now fail unnoticed: {mates[0].why_masked}")
        if run.check.group in SOFT:
            return
        yield from self._looser(run, voiced, others)
        free = [other for other in voiced or mates if not _held_back(run, other)]
        near = [other for other in voiced or mates if other.path == run.path]
        if near and not set(near) & set(free) and events_lost(run.events, [other.events for other in free]):
            free = []  # what runs unconditionally elsewhere is started by something else
        mate = (free or near or mates)[0]
        if not free:
            yield from self._tell(
                run, mate, "condition", f"now runs only under a condition: {_held_back(run, mate)}"
            )
        if reached:
            for why in events_lost(run.events, [other.events for other in free or near or mates]):
                line = next((event.line for event in mate.events if event.name in why), mate.line)
                yield from self._tell(run, replace(mate, line=line), why, f"runs less often: {why}")
            if (
                run.check.group == "gate"
                and not run.shallow
                and all(other.shallow for other in free or mates)
            ):
                yield from self._tell(
                    run, mate, "history", "now runs in a clone without history (`fetch-depth: 0` is gone)"
                )

    def _looser(self, run: Run, mates: list[Run], others: tuple[Run, ...]) -> Iterator[Weakness]:
        """
        A check whose every mate is held to less by its line, its environment or the settings below them.
        """
        held = self._old.of(run)
        found = [
            {one.kind: one for one in looser(held, self._new.of(mate), floored=self._floored)}
            for mate in mates
        ]
        for kind, first in found[0].items() if found else ():
            mate, shown = mates[0], (run.check.shown, kind)
            if shown in self._told or not all(kind in one for one in found):
                continue
            if kind != "floor" or not self._floor_is_kept(held.floor, mate, others):
                self._told.add(shown)
                name = f"`{run.check.shown}`"
                yield Weakness(mate.path, mate.line, name, first.what, first.before, first.after)

    def _floor_is_kept(self, floor: float, mate: Run, others: tuple[Run, ...]) -> bool:
        """
        Tell whether something beside this run, or something new, holds the floor now.
        """
        known = {
            (run.check.key, self._old.of(run).floor)
            for run in (*self._before.reached, *self._before.all_runs())
        }
        return any(
            (other.unit == mate.unit or (other.check.key, self._new.of(other).floor) not in known)
            and self._new.of(other).floor >= floor
            for other in others
            if not other.masked
        )

    def _gone(self, run: Run, others: tuple[Run, ...], *, reached: bool) -> Weakness:
        known = {other.check.key for other in self._before.reached + self._before.all_runs()}
        self._told.add((run.check.shown, "gone"))
        same_tool = [
            other
            for other in others
            if other.check.tool == run.check.tool == "pytest" and other.check.key not in known
        ]
        mate = next((other for other in same_tool if other.unit == run.unit and other.path == run.path), None)
        where = "CI" if reached else "the machinery"
        if mate is not None:
            why = (
                narrower(run.check, mate.check)
                or f"paths became {' '.join(mate.check.options.paths) or 'the default'}"
            )
            what = f"became `{mate.check.shown}`, which runs less: {why}"
            return Weakness(
                mate.path, mate.line, f"`{run.check.shown}`", what, run.check.shown, mate.check.shown
            )
        still = self._after.tree.entry(run.path) is not None
        line = run.line if still else 1
        return Weakness(run.path, line, f"`{run.check.shown}`", f"no longer runs in {where}", run.check.shown)

    def _tell(self, run: Run, mate: Run, kind: str, what: str) -> Iterator[Weakness]:
        """
        Report one kind of weakness of one check once, wherever it shows.
        """
        if (run.check.shown, kind) not in self._told:
            self._told.add((run.check.shown, kind))
            yield Weakness(
                mate.path, mate.line, f"`{run.check.shown}`", what, run.check.shown, mate.check.shown
            )

    def _replaced(self, run: Run, others: tuple[Run, ...]) -> bool:
        """
        One linter or type checker may take another's place, and pytest runs what unittest ran.
        """
        if run.check.group in SOFT:
            return any(other.check.group == run.check.group and not other.masked for other in others)
        if run.check.tool in {"unittest", "trial", "nose2"}:
            return any(other.check.tool == "pytest" and not other.masked for other in others)
        if run.check.tool == "coverage":  # pytest-cov reports by itself
            held = (self._new.of(other) for other in others if not other.masked)
            return any(one.measures and one.floor >= self._old.of(run).floor for one in held)
        return self._judges_renamed(run, others)

    def _judges_renamed(self, run: Run, others: tuple[Run, ...]) -> bool:
        """
        `needs.OLD.result` became `needs.NEW.result` because the job has a new name.
        """
        jobs = jobs_in(self._after.documents(run.path))
        asked = {name for name in re.findall(r"needs\.([\w-]+)", run.check.shown) if name not in jobs}
        mates = {
            name
            for other in others
            if not other.masked
            for name in re.findall(r"needs\.([\w-]+)", other.check.shown)
        }
        old = jobs_in(self._before.documents(run.path))
        return bool(asked) and bool((mates & set(jobs)) - set(old))

    def _covers(self, other: Run, run: Run) -> bool:
        """
        Tell whether the other runs everything that this one ran.
        """
        mine, theirs = run.check, other.check
        if mine.tool != theirs.tool:
            return False
        if mine.tool == "pytest":
            return not narrower(mine, theirs) and self._reaches([other], run)
        if mine.tool == "coverage":
            return True
        if mine.tool in {"nox", "tox", "make", "just", "invoke"}:
            return set(mine.targets) <= set(theirs.targets) and bool(mine.targets) == bool(theirs.targets)
        if mine.group in SOFT:
            return mine.key[:2] == theirs.key[:2] or mine.tool not in {"ruff", "pre-commit"}
        return mine.key == theirs.key or (
            mine.tool == "script" and mine.key[1:] == theirs.key[1:] and self._moved(run, other)
        )

    def _moved(self, run: Run, other: Run) -> bool:
        """
        Tell whether the other script is the same file under a new name.
        """
        old = self._before.tree.entry(run.check.targets[0])
        return old is not None and old == self._after.tree.entry(other.check.targets[0])

    def _together(self, run: Run, others: tuple[Run, ...]) -> bool:
        """
        Tell whether several pytest calls share what one did, by path or by a marker and its opposite.
        """
        if run.check.tool != "pytest":
            return False
        same = [other for other in others if other.check.tool == "pytest" and not other.masked]
        voiced = [other for other in same if not _held_back(run, other)]
        whole = [other for other in voiced if not narrower(run.check, other.check)]
        for name in ("-m", "-k"):
            chosen = {
                " ".join(other.check.options.last(name).split()): other
                for other in voiced
                if other.check.options.has(name)
            }
            whole += [chosen[text] for text in chosen if f"not {text}" in chosen or f"not ({text})" in chosen]
        return bool(whole) and self._reaches(whole, run)

    def _reaches(self, others: Iterable[Run], run: Run) -> bool:
        wanted = _paths(run, self._base_paths)
        given = [path for other in others for path in _paths(other, self._head_paths)]
        return all(self._is_below(path, given) for path in wanted)

    def _is_below(self, path: str, given: list[str]) -> bool:
        if any(top in ("", ".", path) or path.startswith((top + "/", top + "::")) for top in given):
            return True
        inside = [
            item
            for item in self._after.tree.under(path)
            if item.endswith(".py") and "test" in item.rpartition("/")[2]
        ]
        known = bool(inside) or bool(self._before.tree.under(path))
        covered = [item for item in inside if any(item == top or item.startswith(top + "/") for top in given)]
        if path in ("", "."):
            return bool(inside) and len(covered) == len(inside)
        return known and len(covered) == len(inside) and not path.startswith("$")


def _held_back(run: Run, other: Run) -> str:
    return narrowed(run.conditions, other.conditions)


def _paths(run: Run, default: tuple[str, ...]) -> tuple[str, ...]:
    return run.check.options.paths or default or ("",)
