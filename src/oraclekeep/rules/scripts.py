"""
`machinery-weakened`: a check function or script of the machinery that failed on something now lets it pass.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from oraclekeep.machinery.failing import Branch, answering, local_names, python_branches, shell_branches
from oraclekeep.machinery.places import text_of
from oraclekeep.machinery.pysource import load_or_none
from oraclekeep.machinery.runs import is_script, is_task_file
from oraclekeep.model import Finding
from oraclekeep.rules import rule

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from oraclekeep.model import Snapshot
    from oraclekeep.rules import Patch

_ADVICE: Final = "Let the check fail again, or ask the owner for an allowance in oracle/intent.json."


@rule("machinery-weakened")
def check_functions(patch: Patch) -> Iterator[Finding]:
    """
    Report failures of task files and scripts of base that no code of head raises under the same condition.
    """
    paths = [delta.path for delta in patch.deltas if is_task_file(delta.path) or is_script(delta.path)]
    old = {path: _branches(patch.base, path) for path in paths}
    new = {path: _branches(patch.head, path) for path in paths}
    everywhere = [branch for path in paths for branch in new[path]]
    for path in paths:
        if patch.base.entry(path) is None:
            continue
        if (
            path.endswith(".py")
            and patch.head.entry(path) is not None
            and load_or_none(patch.head, path) is None
        ):
            if load_or_none(patch.base, path) is not None:
                yield _finding(path, 1, f"{path} no longer parses, so none of its checks runs.", "", "")
            continue
        told: set[str] = set()
        names = _Names(_locals(patch.base, path), _locals(patch.head, path, inner=True))
        for branch in old[path]:
            if (
                branch.how
                and branch.condition not in told
                and (lost := _lost(branch, new[path], everywhere, names)) is not None
            ):
                told.add(branch.condition)
                where, now = (path, lost.line) if lost.line else (path, 1)
                shown = branch.condition or f"{branch.function}()"
                what = f"`{shown}` led to `{branch.how}` and no longer fails."
                yield _finding(where, now, what, branch.how, lost.how)
        yield from _answers(patch, path, told)


def _finding(path: str, line: int, what: str, was: str, now: str) -> Finding:
    return Finding(
        path, line, "machinery-weakened", message=what, advice=_ADVICE, before=was or None, after=now or None
    )


def _branches(tree: Snapshot, path: str) -> tuple[Branch, ...]:
    if path.endswith(".py"):
        module = load_or_none(tree, path)
        return python_branches(module) if module is not None else ()
    return shell_branches(text_of(tree, path))


def _locals(tree: Snapshot, path: str, *, inner: bool = False) -> Mapping[str, frozenset[str]]:
    module = load_or_none(tree, path) if path.endswith(".py") else None
    return local_names(module, inner=inner) if module is not None else {}


def _lost(branch: Branch, here: tuple[Branch, ...], everywhere: list[Branch], names: _Names) -> Branch | None:
    """
    Return what took a failing branch's place and does not fail; None where a failure still stands.
    """
    failing = [other for other in everywhere if other.how]
    if branch.condition:
        if any(branch.alternatives <= other.alternatives for other in failing):
            return None
        tame = [other for other in here if other.condition == branch.condition]
        if tame:
            return tame[0]
        asked = names.asked(branch)
        narrower = [other for other in here if other.how and other.asks_less_than(branch)]
        if narrower:
            return Branch(branch.function, branch.condition, "", narrower[0].line)
        if asked and any(asked <= names.seen(other) for other in failing):
            return None
    elif any(other.function == branch.function for other in failing):
        return None
    line = next((other.line for other in here if other.function == branch.function), 0)
    return Branch(branch.function, branch.condition, "", line)


@dataclass(frozen=True)
class _Names:
    """
    What conditions look at: a condition may be moved into a function, or taken out of one.
    """

    base: Mapping[str, frozenset[str]]
    head: Mapping[str, frozenset[str]]

    def asked(self, branch: Branch) -> frozenset[str]:
        """
        Return the project's own names in a condition, or all its names where it has none of those.
        """
        return branch.names & frozenset(self.base) or branch.names

    def seen(self, branch: Branch) -> frozenset[str]:
        found = branch.names
        for _ in range(3):
            found |= frozenset(inner for name in found if name in self.head for inner in self.head[name])
        return found


def _answers(patch: Patch, path: str, told: set[str]) -> Iterator[Finding]:
    before, after = load_or_none(patch.base, path), load_or_none(patch.head, path)
    if told or before is None or after is None or not path.endswith(".py"):
        return
    for name, (could_fail, _) in answering(before).items():
        can_fail, line = answering(after).get(name, (True, 1))
        if could_fail and not can_fail:
            yield _finding(path, line, f"`{name}` gives the exit code and can now only give 0.", name, "")
