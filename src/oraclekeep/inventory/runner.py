"""
Runs the inventory of a working copy with the same runner that the lanes use.
"""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from oraclekeep.errors import GateError, MissingEvidence, UsageError
from oraclekeep.folder import FolderSnapshot
from oraclekeep.git import Repo, TreeSnapshot
from oraclekeep.inventory import plan
from oraclekeep.lanekit import inventory_runner
from oraclekeep.policy import read_policy
from oraclekeep.refs import default_base

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from oraclekeep.lanekit.inventory_runner import Settings
    from oraclekeep.model import Snapshot

_INVENTORY: Final = "invariants/inventory.yaml"


def run_working_copy(
    settings: Settings, *, only: Sequence[str] = (), earlier: Sequence[Snapshot] = ()
) -> dict[str, Any]:
    """
    Run the properties of a folder, all or the named ones; 0 repeats are as many as its policy says.

    Raises `MissingEvidence` where there is nothing to run, `ConfigError` where the inventory can't be read.
    """
    tree = FolderSnapshot(settings.tree)
    if tree.entry(_INVENTORY) is None:
        raise MissingEvidence(f"{settings.tree / _INVENTORY}: there is none; `oraclekeep init` writes one")
    wanted = plan(read_policy(tree), tree, earlier=earlier)
    known = [one["id"] for one in wanted["properties"]]
    if unknown := [name for name in only if name not in known]:
        raise UsageError(f"--only {unknown[0]!r} names no property; there are {', '.join(known) or 'none'}")
    if only:
        wanted["properties"] = [one for one in wanted["properties"] if one["id"] in only]
    if not wanted["properties"]:
        raise MissingEvidence(f"{settings.tree / _INVENTORY}: it holds no property; nothing was checked")
    return inventory_runner.run(wanted, replace(settings, repeats=settings.repeats or wanted["repeats"]))


@contextmanager
def earlier_commits(root: Path, environ: Mapping[str, str]) -> Iterator[tuple[Snapshot, ...]]:
    """
    Open the commits in which a function that is gone may still be found: what is checked out, and its base.

    A folder that is not the root of a repository has none.
    """
    repo = _repository(root)
    if repo is None:
        yield ()
        return
    with repo.blobs() as blobs:
        yield tuple(TreeSnapshot(repo, blobs, commit) for commit in _commits(repo, environ))


def _repository(root: Path) -> Repo | None:
    try:
        repo = Repo.at(root)
    except GateError:
        return None
    return repo if repo.root.resolve() == root else None


def _commits(repo: Repo, environ: Mapping[str, str]) -> list[str]:
    """
    Return as many as there are: what can't be found in them is a protocol error, and blocks as well.
    """
    found: list[str] = []
    try:
        found.append(repo.resolve("HEAD"))
        found.append(default_base(repo, found[0], environ)[0])
    except GateError:
        pass
    return found
