"""
New locks for the frozen inputs of a working tree, from the bytes that Git would store (SPEC §3).
"""

from __future__ import annotations

import json
import shlex
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from oraclekeep.effects import scratch_folder, write_atomic
from oraclekeep.errors import ConfigError, UsageError
from oraclekeep.git import TreeSnapshot
from oraclekeep.lanekit.fixtures import canonical_json_digest
from oraclekeep.model import FileLock
from oraclekeep.policy import digests, is_adopted
from oraclekeep.policy.editing import append_to_list
from oraclekeep.policy.files import (
    DEFAULT_TREE,
    FILE_LOCKS,
    INTENT,
    TREE_LOCKS,
    read_file_locks,
    read_intent,
    read_settings,
    read_tree_locks,
)
from oraclekeep.policy.frozen import Locks, Unit
from oraclekeep.policy.ledgers import INVENTORY, replays_of
from oraclekeep.policy.overlay import Overlaid
from oraclekeep.refs import worktree_tree

if TYPE_CHECKING:
    from collections.abc import Mapping

    from oraclekeep.git import Repo
    from oraclekeep.model import GateSettings, Snapshot

_NOTHING_MORE: Final[Mapping[str, bytes | None]] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Change:
    """
    One lock that is stale.  ``before`` is None where there was none, ``after`` where nothing is left to lock.
    """

    unit: Unit
    before: str | None
    after: str | None


@dataclass(frozen=True, slots=True)
class Relock:
    """
    What `invoke lock` would do, and the properties whose notes must follow.
    """

    changes: tuple[Change, ...] = ()  # what is stale in the working tree
    since: tuple[Change, ...] = ()  # what will differ from the last commit
    files: tuple[tuple[str, str], ...] = ()  # (path, new text)
    properties: tuple[str, ...] = ()
    silent: bool = False  # a lock that differs from the last commit still has no note

    def commands(self, note: str) -> tuple[str, ...]:
        """
        Return the lines that make a commit of its own of the new locks and the bytes they know.
        """
        trees = [change.unit for change in self.since if change.unit.is_tree]
        bytes_ = [
            change.unit.name
            for change in self.since
            if change.unit.is_tree or not any(tree.holds(change.unit.name) for tree in trees)
        ]
        paths = (
            *bytes_,
            *(change.unit.lock for change in self.since),
            INTENT,
            *([INVENTORY] if self.properties else ()),
        )
        message = f"Lock fixtures: {note}" if note else "Lock fixtures"
        return (f"git add -A -- {shlex.join(dict.fromkeys(paths))}", f"git commit -m {shlex.quote(message)}")


def relock(
    repo: Repo, note: str, more: Mapping[str, bytes | None] = _NOTHING_MORE, *, only: str = ""
) -> Relock:
    """
    Compare the locks of the working tree with its bytes; nothing is written.

    ``more`` are files that are about to be written there.  With ``only``, locks that do not hold that path
    stay as they are.

    Raises `UsageError` where there is nothing to lock, `ConfigError` where something cannot be locked.
    """
    with scratch_folder() as folder:
        store = replace(repo, objects=folder / "objects")
        tree_id = worktree_tree(repo, folder / "objects")
        with store.blobs() as blobs:
            tree = Overlaid(TreeSnapshot(store, blobs, tree_id), more)
            if not is_adopted(tree):
                raise UsageError(f"{repo.root}: there is no oracle/ here; run `invoke init` first")
            committed = None if repo.is_unborn() else TreeSnapshot(store, blobs, repo.resolve("HEAD"))
            return _compare(tree, committed if committed and is_adopted(committed) else tree, note, only)


def write(repo: Repo, found: Relock) -> None:
    for path, text in found.files:
        write_atomic(repo.root / path, text)


def _compare(tree: Snapshot, committed: Snapshot, note: str, only: str) -> Relock:
    settings = read_settings(tree)
    properties = replays_of(tree).inventory.properties
    fixtures = tuple(each.fixture for each in properties if each.fixture)
    old = Locks(read_tree_locks(tree, settings), read_file_locks(tree))
    new = Locks(_tree_locks(tree, old.trees, settings), _file_locks(tree, old.files, fixtures))
    new = _held(old, new, only) if only else new
    changes = _changes(old, new)
    texts = []
    if any(change.unit.is_tree for change in changes):
        texts.append((TREE_LOCKS, _tree_text(new.trees, settings, named=_names_trees(tree))))
    if any(not change.unit.is_tree for change in changes):
        texts.append((FILE_LOCKS, _file_text(tree, new.files)))
    # Against the last commit: the locks may have been written by an earlier run that had no note.
    since = _changes(
        Locks(read_tree_locks(committed, read_settings(committed)), read_file_locks(committed)), new
    )
    since = tuple(one for one in since if not only or one.unit.holds(only))
    known = read_intent(tree).fixture_changes
    unnoted = tuple(each for each in since if (each.after or digests.NOTHING) not in each.unit.noted(known))
    if note and unnoted:
        texts.append((INTENT, _noted(tree, unnoted, note)))
    relocked = {change.unit.name for change in since if change.before and not change.unit.is_tree}
    users = tuple(each.id for each in properties if each.fixture in relocked)
    return Relock(changes, since, tuple(texts), users, silent=bool(unnoted) and not note)


def _held(old: Locks, new: Locks, path: str) -> Locks:
    """
    Renew only what holds a path: its own lock, and those of trees around it that are locked already.
    """
    trees = {
        name: new.trees[name] if name in new.trees and Unit(name, is_tree=True).holds(path) else lock
        for name, lock in old.trees.items()
    }
    own = {path: new.files[path]} if path in new.files else {}
    return Locks(trees, dict(sorted({**old.files, **own}.items())))


def _changes(old: Locks, new: Locks) -> tuple[Change, ...]:
    units = dict.fromkeys((*old.units(), *new.units()))
    return tuple(Change(unit, old.of(unit), new.of(unit)) for unit in units if old.of(unit) != new.of(unit))


def _tree_locks(tree: Snapshot, old: Mapping[str, str], settings: GateSettings) -> dict[str, str]:
    names = dict.fromkeys((*old, *settings.fixtures)) or {DEFAULT_TREE: None}
    found = {}
    for name in names:
        if links := digests.leaving_links(tree, name):
            raise ConfigError(f"{links[0]}: the link leaves the frozen tree {name}; put a plain file there")
        if tree.under(name):
            found[name] = digests.tree_digest(tree, name)
    return found


def _file_locks(tree: Snapshot, old: Mapping[str, FileLock], used: tuple[str, ...]) -> dict[str, FileLock]:
    found = {}
    for path in sorted({*old, *used}):
        data, form = tree.read(path), old[path].canonical if path in old else ""
        if data is None and path in used:
            raise ConfigError(
                f"{path}: {INVENTORY} uses this fixture, and Git has no such file; add it, or unignore it"
            )
        if data is None:
            continue
        if form:
            try:
                canonical_json_digest(data)
            except (ValueError, RecursionError) as error:
                raise ConfigError(
                    f"{path}: locked in canonical form, and not strict JSON: {error}"
                ) from error
        found[path] = FileLock(digests.file_digest(data, form), form)
    return found


def _names_trees(tree: Snapshot) -> bool:
    return b" " in (tree.read(TREE_LOCKS) or b"").strip()


def _tree_text(locks: Mapping[str, str], settings: GateSettings, *, named: bool) -> str:
    """
    Keep the short form, one digest alone, where it was used and still says enough.
    """
    only = settings.fixtures[0] if len(settings.fixtures) == 1 else DEFAULT_TREE
    if not named and len(settings.fixtures) < 2 and list(locks) == [only]:
        return f"{locks[only]}\n"
    return "".join(f"{digest}  {name}\n" for name, digest in locks.items())


def _file_text(tree: Snapshot, locks: Mapping[str, FileLock]) -> str:
    before = json.loads((tree.read(FILE_LOCKS) or b"{}").decode("utf-8-sig"))
    value: dict[str, object] = {key: text for key, text in before.items() if key.startswith("$")}
    for path, lock in sorted(locks.items()):
        value[path] = {"sha256": lock.sha256, "canonical": lock.canonical} if lock.canonical else lock.sha256
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"


def _noted(tree: Snapshot, changes: tuple[Change, ...], note: str) -> str:
    """
    Return `oracle/intent.json` with a note for each changed lock.
    """
    items = [
        {change.unit.kind: change.unit.name, "digest": change.after or digests.NOTHING, "reason": note}
        for change in changes
    ]
    text = (tree.read(INTENT) or b"{}").decode("utf-8")
    return append_to_list(INTENT, text, "fixture_changes", items)
