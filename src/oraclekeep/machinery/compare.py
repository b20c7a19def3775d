"""
Two sides' machinery compared by what runs: the losses, each with its place, its sentence and both texts.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from oraclekeep.machinery import pipelines, taskfiles
from oraclekeep.machinery.commands import narrower
from oraclekeep.machinery.pysource import load_or_none
from oraclekeep.machinery.runs import events_lost, is_ci_yaml, narrowed
from oraclekeep.machinery.settings import settings_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from oraclekeep.machinery.reach import Machinery
    from oraclekeep.machinery.runs import Run

_SOFT: Final = ("lint", "types")  # one tool of these may take another's place


@dataclass(frozen=True, slots=True)
class Weakness:
    """
    One check that head hears less of: ``subject`` is the check, ``what`` the rest of the sentence.
    """

    path: str
    line: int
    subject: str
    what: str
    before: str = ""
    after: str = ""


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
            yield from _needs(path, before, after)
            yield from _privileged(path, before, after)
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
                and run.check.group not in _SOFT
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
        if is_ci_yaml(path):
            return
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
            voiced = not run.masked and run.check.group not in ("", *_SOFT)
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
        if taskfiles.option_is_on(modules[0], "error_on_missing_interpreters") and not taskfiles.option_is_on(
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
        if run.check.group in _SOFT:
            return
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
        if run.check.group in _SOFT:
            return any(other.check.group == run.check.group and not other.masked for other in others)
        if run.check.tool in {"unittest", "trial", "nose2"}:
            return any(other.check.tool == "pytest" and not other.masked for other in others)
        return self._judges_renamed(run, others)

    def _judges_renamed(self, run: Run, others: tuple[Run, ...]) -> bool:
        """
        `needs.OLD.result` became `needs.NEW.result` because the job has a new name.
        """
        jobs = pipelines.jobs_in(self._after.documents(run.path))
        asked = {name for name in re.findall(r"needs\.([\w-]+)", run.check.shown) if name not in jobs}
        mates = {
            name
            for other in others
            if not other.masked
            for name in re.findall(r"needs\.([\w-]+)", other.check.shown)
        }
        old = pipelines.jobs_in(self._before.documents(run.path))
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
            return theirs.floor >= mine.floor
        if mine.tool in {"nox", "tox", "make", "just", "invoke"}:
            return set(mine.targets) <= set(theirs.targets) and bool(mine.targets) == bool(theirs.targets)
        if mine.group in _SOFT:
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


def _needs(path: str, before: Machinery, after: Machinery) -> Iterator[Weakness]:
    """
    A job that judges other jobs must still depend on every one that checks something.
    """
    old, new = pipelines.jobs_in(before.documents(path)), pipelines.jobs_in(after.documents(path))
    for name, job in old.items():
        if not job.judges or name not in new:
            continue
        for lane in sorted(job.needs - new[name].needs):
            checks = [
                run for run in before.runs(path) if run.unit == lane and run.check.group not in ("", *_SOFT)
            ]
            heirs = [run for run in after.runs(path) if run.unit in (new[name].needs | {name})]
            lost = [run for run in checks if not any(run.check.key == heir.check.key for heir in heirs)]
            if lost or (lane in new and not checks):
                now = f"needs: {', '.join(sorted(new[name].needs))}"
                what = f"no longer waits for {lane}, so a failure there no longer counts"
                yield Weakness(path, new[name].line, f"Job {name}", what, f"needs: {lane}", now)
        if job.always and not new[name].always and new[name].needs:
            what = "is skipped when a job it needs fails, and a skipped job counts as passed"
            yield Weakness(path, new[name].line, f"Job {name}", what, "if: always()")


def _privileged(path: str, before: Machinery, after: Machinery) -> Iterator[Weakness]:
    """
    `pull_request_target` runs the patch's code with the base's secrets.
    """
    name = "pull_request_target"
    had = any(
        event.name == name for document in before.documents(path) for event in pipelines.events_of(document)
    )
    for document in after.documents(path):
        for event in pipelines.events_of(document):
            if event.name == name and not had and ("checkout" in document.canon() or after.runs(path)):
                yield Weakness(
                    path, event.line, f"`{name}`", "gives code of the patch the secrets of the base", "", name
                )
