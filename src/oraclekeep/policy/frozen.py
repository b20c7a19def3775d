"""
What is frozen, and which changes of it base already knows (SPEC §1, §3).

A tree or a file is frozen when a lock of base's tip, or `fixtures` in its `gate.yaml`, names it.  The default
tree `tests/fixtures` is only where a bare digest points: without a lock it is an ordinary folder.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from oraclekeep.policy import attributes, digests
from oraclekeep.policy.files import FILE_LOCKS, TREE_LOCKS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from oraclekeep.model import Delta, FileLock, FixtureNote, Policy, Snapshot


@dataclass(frozen=True, slots=True, order=True)
class Unit:
    """
    One thing that has a digest of its own: a fixture tree, or one locked file.
    """

    name: str
    is_tree: bool

    @property
    def lock(self) -> str:
        return TREE_LOCKS if self.is_tree else FILE_LOCKS

    @property
    def kind(self) -> str:
        return "tree" if self.is_tree else "path"

    def holds(self, path: str) -> bool:
        # A link or a file that stands where the tree was is the tree's own business.
        return path == self.name or (self.is_tree and path.startswith(f"{self.name}/"))

    def noted(self, notes: Iterable[FixtureNote]) -> frozenset[str]:
        """
        Return the digests that notes announce for this unit.
        """
        return frozenset(
            note.digest for note in notes if self.name == (note.tree if self.is_tree else note.path)
        )


@dataclass(frozen=True, slots=True)
class Locks:
    """
    Both locks of one tree.
    """

    trees: Mapping[str, str]
    files: Mapping[str, FileLock]

    def of(self, unit: Unit) -> str | None:
        if unit.is_tree:
            return self.trees.get(unit.name)
        lock = self.files.get(unit.name)
        return lock.sha256 if lock else None

    def units(self) -> tuple[Unit, ...]:
        trees = tuple(Unit(name, is_tree=True) for name in self.trees)
        return (*trees, *(Unit(name, is_tree=False) for name in self.files))


class FrozenInputs:
    """
    The frozen inputs of base's tip, seen on the tip and on what lands.
    """

    def __init__(self, deltas: Iterable[Delta], policy: Policy, tip: Snapshot, land: Snapshot) -> None:
        self.policy, self.tip, self.land = policy, tip, land
        self.locks = Locks(policy.tree_locks, policy.file_locks)
        named = (Unit(name, is_tree=True) for name in policy.settings.fixtures)
        self.units = tuple(dict.fromkeys((*self.locks.units(), *named)))
        self._deltas = tuple(deltas)
        self._digests: dict[tuple[Unit, bool, str], str] = {}

    @cached_property
    def changed(self) -> tuple[Delta, ...]:
        """
        The deltas whose bytes are news to the tip; a mode bit is not.
        """
        return tuple(
            delta
            for delta in self._deltas
            if _content(self.tip, delta.path) != _content(self.land, delta.path)
        )

    def digest(self, unit: Unit, *, landed: bool, canonical: str | None = None) -> str:
        """
        Return a unit's digest in the form that the tip's lock asks for, or in another one.
        """
        lock = self.policy.file_locks.get(unit.name)
        form = canonical if canonical is not None else lock.canonical if lock else ""
        key = (unit, landed, form)
        if key not in self._digests:
            tree = self.land if landed else self.tip
            self._digests[key] = (
                digests.tree_digest(tree, unit.name)
                if unit.is_tree
                else digests.file_digest(tree.read(unit.name), form)
            )
        return self._digests[key]

    def announced(self, unit: Unit, *, landed: bool) -> bool:
        """
        Return whether notes of base know the bytes.  The digest of a tree speaks for each file in it.
        """
        around = (other for other in self.units if other.is_tree and other != unit and other.holds(unit.name))
        for each in (unit, *around):
            noted = each.noted(self.policy.intent.fixture_changes)
            if noted and self.digest(each, landed=landed) in noted:
                return True
        return False

    def retyped(self, unit: Unit) -> tuple[str, ...]:
        """
        Return the paths that became a link or stopped being one: other bytes are read, though these may stay.
        """
        return tuple(
            delta.path
            for delta in self.changed
            if unit.holds(delta.path) and delta.old and delta.new and delta.old.mode[:3] != delta.new.mode[:3]
        )

    def leaving(self, unit: Unit) -> tuple[str, ...]:
        """
        Return the links of a unit that lead to bytes which its lock does not know.
        """
        if unit.is_tree:
            return digests.leaving_links(self.land, unit.name)
        entry = self.land.entry(unit.name)
        if entry is None or not entry.is_link:
            return ()
        target = digests.link_target(unit.name, self.land.read(unit.name) or b"")
        return () if any(other.holds(target) for other in self.units if other != unit) else (unit.name,)

    def may_arrive(self, unit: Unit, delta: Delta) -> bool:
        """
        Return whether the path is an addition that the owner's settings allow.
        """
        return unit.is_tree and delta.added and self.policy.settings.additions == "allow"

    def holds(self, path: str) -> bool:
        return any(unit.holds(path) for unit in self.units)

    @cached_property
    def free(self) -> frozenset[str]:
        """
        The changed frozen paths that may come with either kind of patch: announced bytes, allowed additions.
        """
        touched = {unit for unit in self.units for delta in self.changed if unit.holds(delta.path)}
        safe = {unit for unit in touched if not self.retyped(unit) and not self.leaving(unit)}
        known = {unit for unit in safe if self.announced(unit, landed=True)}
        return frozenset(
            delta.path
            for delta in self.changed
            if self.holds(delta.path)
            and all(
                unit in known or (unit in safe and self.may_arrive(unit, delta))
                for unit in touched
                if unit.holds(delta.path)
            )
        )

    @cached_property
    def converted(self) -> tuple[str, ...]:
        """
        The frozen paths whose bytes checkout would now turn into others: their git attributes changed.
        """
        if not any(delta.path.rpartition("/")[2] == attributes.NAME for delta in self._deltas):
            return ()
        paths = [path for path in self.land.under("") if self.tip.entry(path) and self.holds(path)]
        before = attributes.checkout_attributes(self.tip, paths)
        after = attributes.checkout_attributes(self.land, paths)
        return tuple(path for path in paths if before[path] != after[path])


def _content(tree: Snapshot, path: str) -> tuple[str, str] | None:
    entry = tree.entry(path)
    return (entry.oid, entry.mode[:3]) if entry else None
