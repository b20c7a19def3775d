"""
What the suite's rules share: both sides' tests, what became of each check, and what was intended.
"""

from __future__ import annotations

import ast
from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from oraclekeep.match import Matching, match
from oraclekeep.oracles.source import Sources
from oraclekeep.oracles.suite import Side, power_between, read_respelled, read_touched, suite_paths
from oraclekeep.paths import Layout
from oraclekeep.rules.contents import same_contents
from oraclekeep.rules.hierarchy import Classes
from oraclekeep.rules.production import changed_modules, definitions, production_deltas

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from oraclekeep.model import Delta, PowerShift
    from oraclekeep.oracles.checks import Facts
    from oraclekeep.oracles.collect import Test
    from oraclekeep.rules import Patch


@dataclass(frozen=True)
class Study:
    """
    Both sides read and matched.
    """

    patch: Patch
    old: Side
    new: Side
    matching: Matching
    shadowed: frozenset[str]
    deleted: frozenset[tuple[str, str]]  # (production path, name) that base defines and head does not

    @cached_property
    def changed(self) -> tuple[str, ...]:
        """
        The production modules whose syntax tree changed, docstrings aside.
        """
        return changed_modules(self.patch)

    @cached_property
    def touches_production(self) -> bool:
        return bool(production_deltas(self.patch))

    @property
    def power(self) -> PowerShift:
        return power_between(self.old, self.new)

    def is_intended(self, nodeid: str) -> bool:
        """
        May this test's expectations change?  SPEC §2, row `expectation-rewritten`.
        """
        return self.allows(lambda: self.reach(nodeid))

    def allows(self, reach: Callable[[], set[str]]) -> bool:
        """
        May an expectation change whose test reaches these files?  They count if no production code changed.
        """
        if not (self.patch.intend_all or self.patch.policy.intent.allow_behavior_change):
            return False
        if self.patch.intend_all and self.touches_production:
            return True
        if self.changed:
            return all(is_listed(self.patch, path) for path in self.changed)
        reached = reach()
        return bool(reached) and (
            self.patch.intend_all or all(is_listed(self.patch, path) for path in reached)
        )

    @cached_property
    def unlisted(self) -> str:
        """
        Say which changed modules keep an expectation from changing, as the subject and verb of a sentence.
        """
        missing = [path for path in self.changed if not is_listed(self.patch, path)]
        if not missing:
            return "the modules concerned are"
        more = f" and {len(missing) - 3} more" if len(missing) > 3 else ""
        return f"{', '.join(missing[:3])}{more} {'is' if len(missing) == 1 else 'are'}"

    def reach(self, nodeid: str) -> set[str]:
        """
        Return the first-party files that define the names which a test and its fixtures use.
        """
        places = (nodeid, *self.matching.became.get(nodeid, ()))
        return {
            path
            for side in (self.old, self.new)
            for place in places
            if place in side.facts
            for path in definers(side.sources, side.facts[place])
        }


def definers(sources: Sources, facts: Facts) -> set[str]:
    """
    Return the first-party files that define the names which a test uses.
    """
    found = (sources.defines(*use.split(":", 1)) for use in facts.uses)
    return {definer[0] for definer in found if definer is not None}


def is_listed(patch: Patch, path: str) -> bool:
    """
    Return whether base's `allow_behavior_change` names the file, in an entry that has not lapsed.
    """
    for entry in patch.policy.intent.allow_behavior_change:
        if entry.expires is not None and entry.expires <= patch.today:
            continue
        if path == entry.path or (entry.path.endswith("/") and path.startswith(entry.path)):
            return True
    return False


def study(patch: Patch) -> Study:
    """
    Read both sides of a patch.  The tests that the patch does not touch are never read.
    """
    head_layout = Layout.of(patch.head, patch.policy)
    return study_of(patch, (patch.layout, head_layout), patch.deltas)


def study_of(patch: Patch, layouts: tuple[Layout, Layout], deltas: Iterable[Delta]) -> Study:
    """
    Read and match; only where a check does not stand as it stood is production code asked what it renamed.
    """
    old, new = Side(Sources(patch.base, layouts[0])), Side(Sources(patch.head, layouts[1]))
    changed = suite_paths(layouts, deltas)
    product = [
        one.path for one in production_deltas(patch) if one.path.endswith(".py") and not one.same_bytes
    ]
    read_touched(old, new, changed, product, patch.beside)
    if all(_is_in(facts, new.facts.get(nodeid)) for nodeid, facts in old.facts.items()):
        return _matched(patch, old, new, frozenset())
    deleted, renames = definitions(patch, old.sources, new.sources)
    if renames:
        read_respelled(old, new, renames)
    return _matched(patch, old, new, deleted)


def _is_in(mine: Facts, theirs: Facts | None) -> bool:
    """
    Return whether every check of a test still stands in it, word for word.
    """
    if theirs is None:
        return not mine.checks
    left = Counter(one.form for one in mine.checks)
    left.subtract(one.form for one in theirs.checks)
    return max(left.values(), default=0) <= 0


def _matched(patch: Patch, old: Side, new: Side, deleted: frozenset[tuple[str, str]]) -> Study:
    shadowed = frozenset(
        nodeid
        for nodeid, test in new.collected.items()
        if nodeid in old.facts and _is_shadowed(test, old.collected.get(nodeid))
    )
    facts = {nodeid: one for nodeid, one in old.facts.items() if one.checks}
    later: dict[str, Facts] = {
        f"{nodeid} (later definition)" if nodeid in shadowed else nodeid: one
        for nodeid, one in new.facts.items()
    }
    classes = Classes(old.sources, new.sources, [one for side in (old, new) for one in side.facts.values()])
    matching = same_contents(
        _paired(old, new, facts, later, classes), (patch.base, patch.head), old.facts, new.facts
    )
    return Study(patch, old, new, matching, shadowed, deleted)


def _paired(
    old: Side, new: Side, facts: dict[str, Facts], later: dict[str, Facts], classes: Classes
) -> Matching:
    """
    What moves out of `testpaths` is lost there; tests that always stood outside are compared by themselves.
    """
    left = {nodeid for nodeid in facts if old.sources.layout.is_stray_test(nodeid.split("::")[0])}
    right = {nodeid for nodeid in later if new.sources.layout.is_stray_test(nodeid.split("::")[0])}
    inner = match(_but(facts, left), _but(later, right), classes.compare)
    if not left and not right:
        return inner
    known = {nodeid for nodeid in later if nodeid not in right and nodeid in old.facts}
    outer = match({nodeid: facts[nodeid] for nodeid in left}, _but(later, known), classes.compare)
    changes = (one for one in outer.changes if one.old is not None or one.test in right)
    return Matching((*inner.changes, *changes), inner.became | outer.became)


def _but(facts: dict[str, Facts], left_out: set[str]) -> dict[str, Facts]:
    return {nodeid: one for nodeid, one in facts.items() if nodeid not in left_out}


def _is_shadowed(after: Test, before: Test | None) -> bool:
    """
    Return whether head defines the name again after the definition that base collected.
    """
    if before is None:
        return False
    body = after.defined_in.node.body if after.defined_in is not None else after.module.tree.body
    same = [
        node
        for node in body
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.name == after.node.name
    ]
    old_body = before.defined_in.node.body if before.defined_in is not None else before.module.tree.body
    old_same = [
        node
        for node in old_body
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.name == before.node.name
    ]
    return len(same) > len(old_same) >= 1
