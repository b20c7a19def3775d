"""
`promote`: one candidate moves into the inventory, with a seed of ours and a fixture that is locked.
"""

from __future__ import annotations

import difflib
import math
import os
import re
import shlex
import sys
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from oraclekeep.conjectures.functions import is_first_party
from oraclekeep.effects import refuse_links, scratch_folder, write_atomic
from oraclekeep.errors import ConfigError, GateError, UsageError
from oraclekeep.git import Repo, TreeSnapshot
from oraclekeep.lanekit.fixtures import FixtureError, samples_of
from oraclekeep.lanekit.inventory_classes import MISS, PASS
from oraclekeep.locking import relock
from oraclekeep.permitting import open_desk
from oraclekeep.policy import read_policy
from oraclekeep.policy.ledgers import INVENTORY
from oraclekeep.policy.overlay import Overlaid
from oraclekeep.policy.yaml_editing import append_rows, remove_row
from oraclekeep.proposing.queue import FOLDER, Queue, Waiting, row_of
from oraclekeep.proposing.scratch import add_built, lay_out
from oraclekeep.proposing.trying import Bench
from oraclekeep.refs import default_base, worktree_tree

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    from oraclekeep.model import Policy, Property
    from oraclekeep.permitting import Desk

#: Where the samples of promoted candidates lie, out of reach of those who proposed them.
FIXTURES: Final = "invariants/fixtures/"
_FIRST_SEED: Final = 1001
_FILE_NAME: Final = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,99}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """
    What an owner asks for.
    """

    ident: str
    note: str
    today: dt.date
    seed: int | None = None
    pending: bool = False
    python: str = sys.executable
    progress: Callable[[str], None] = lambda _: None


@dataclass(frozen=True, slots=True, kw_only=True)
class Promotion:
    """
    The property as it will stand, what its run said, and every file that changes (None: it goes).
    """

    root: Path
    law: Property
    row: Mapping[str, Any]
    files: Mapping[str, bytes | None]
    paths: tuple[str, ...]  # what the commit has to name
    remarks: tuple[str, ...] = ()
    signed: bool = False

    def commands(self) -> tuple[str, ...]:
        """
        Return the lines that make a commit of its own of it.
        """
        message = shlex.quote(f"Promote {self.law.id}: {self.law.note}")
        paths = shlex.join(self.paths)
        sign = "-S " if self.signed else ""
        return (f"git add -A -- {paths}", f"git commit {sign}-m {message} -- {paths}")


def promote(start: Path, wish: Wish) -> Promotion:
    """
    Work out a promotion and run the property as it will stand; nothing is written.

    Raises `UsageError` for a candidate that is not there, names nothing of this repository, or is red.
    """
    desk = open_desk(start)
    file, candidate = _find(Queue.of(desk.tree), wish.ident)
    _refuse_nonsense(desk, candidate)
    fixture, copied = _fixture(desk, candidate)
    law = replace(
        candidate,
        seed=_seed(desk.policy) if wish.seed is None else wish.seed,
        fixture=fixture,
        note=wish.note,
        pending=wish.pending,
        line=0,
    )
    before = (desk.tree.read(INVENTORY) or b"version: 1\n").decode("utf-8-sig")
    files: dict[str, bytes | None] = {
        INVENTORY: append_rows(INVENTORY, before, "properties", [row_of(law)]).encode(),
        **copied,
        **_taken_out(desk, file, candidate),
    }
    files |= _locks(desk, law, files)
    policy = _read_back(desk, law, files)
    row = _run(desk, law, files, policy, wish)
    _refuse_colour(law, row)
    repo = Repo(desk.root)
    return Promotion(
        root=desk.root,
        law=law,
        row=row,
        files=files,
        paths=tuple(_to_commit(repo, files)),
        remarks=tuple(_remarks(desk, repo)),
        signed=policy.settings.owners == "signed",
    )


def write(found: Promotion) -> None:
    """
    Write what the property stands on first, and take the candidate away last.
    """
    root = found.root
    refuse_links(root, found.files)
    for path, data in found.files.items():
        if data is not None and path != INVENTORY:
            write_atomic(root / path, data)
    write_atomic(root / INVENTORY, found.files[INVENTORY] or b"")
    for path, data in found.files.items():
        if data is None:
            (root / path).unlink(missing_ok=True)


# ------------------------------------------------------------------------------------------------ the parts


def _find(queue: Queue, ident: str) -> tuple[Waiting, Property]:
    found = [(file, one) for file in queue.files for one in file.properties if one.id == ident]
    if len(found) > 1:
        places = ", ".join(f"{file.path}:{one.line}" for file, one in found)
        raise UsageError(f"{ident!r} stands in {places}; rename or delete all but one")
    if found:
        return found[0]
    if queue.faults:
        raise ConfigError("\n".join((f"{ident!r} is in no file that can be read", *queue.faults)))
    known = [one.id for one in queue.properties]
    near = difflib.get_close_matches(ident, known, n=1)
    hint = (
        f"did you mean {near[0]}?"
        if near
        else f"there are {', '.join(known) or 'none; run `oraclekeep propose`'}"
    )
    raise UsageError(f"{ident!r} names no candidate in {FOLDER}: {hint}")


def _refuse_nonsense(desk: Desk, candidate: Property) -> None:
    if candidate.id in {one.id for one in desk.policy.inventory.properties}:
        raise UsageError(
            f"{candidate.id} is the id of a property of {INVENTORY} already; rename the candidate"
        )
    if not candidate.id.isprintable():
        raise UsageError(f"{candidate.id!r}: the id holds what can't be seen; rename the candidate")
    if not is_first_party(desk.tree, desk.layout, candidate.module):
        raise UsageError(
            f"{candidate.id}: {candidate.module} is no module of this repository's production code"
        )
    if not candidate.checks:
        raise UsageError(f"{candidate.id} has no checks; nothing could fail")


def _seed(policy: Policy) -> int:
    """
    Return a seed that nobody proposed: the one after the highest.
    """
    return max((one.seed + 1 for one in policy.inventory.properties), default=_FIRST_SEED)


def _fixture(desk: Desk, candidate: Property) -> tuple[str, dict[str, bytes | None]]:
    """
    Return the fixture's path and the file to write: a frozen one stays, all else is copied to the owner's.
    """
    path = candidate.fixture
    if not path:
        return "", {}
    entry, data = desk.tree.entry(path), desk.tree.read(path)
    if entry is None or data is None:
        raise UsageError(f"{candidate.id}: its fixture {path} is not there; put the samples there first")
    if entry.is_link:
        raise UsageError(f"{candidate.id}: its fixture {path} is a link; put a plain file there")
    try:
        samples = samples_of(path, data)
    except FixtureError as error:
        raise UsageError(f"{candidate.id}: its fixture {path}: {error}") from error
    if not samples:
        raise UsageError(f"{candidate.id}: its fixture {path} holds no samples; nothing could fail")
    if desk.layout.is_frozen(path) or desk.layout.is_human_owned(path):
        return path, {}
    stem, dot, suffix = path.rpartition("/")[2].rpartition(".")
    stem = candidate.id if _FILE_NAME.fullmatch(candidate.id) else stem
    for number in range(1, sys.maxsize):
        new = f"{FIXTURES}{stem}{f'-{number}' if number > 1 else ''}{dot}{suffix}"
        there = desk.tree.read(new)
        if there in (None, data) and desk.layout.is_human_owned(new):
            return new, {} if there == data else {new: data}
    raise GateError(f"{FIXTURES}: no name is left")  # pragma: no cover


def _taken_out(desk: Desk, file: Waiting, candidate: Property) -> dict[str, bytes | None]:
    """
    Return the candidate's file without it, and its samples gone where nobody else waits for them.
    """
    others = [one for one in file.properties if one.id != candidate.id]
    found: dict[str, bytes | None] = {file.path: None}
    if others:
        document, index = file.document, file.properties.index(candidate)
        starts = [document.line("properties", number) for number in range(len(file.properties))]
        text = remove_row(file.path, file.text, "properties", starts, index)
        left = Queue.of(Overlaid(desk.tree, {file.path: text.encode()}))
        kept = next((one.properties for one in left.files if one.path == file.path), ())
        if [replace(one, line=0) for one in kept] != [replace(one, line=0) for one in others]:
            raise ConfigError(
                f"{file.path}:{candidate.line}: the row can't be taken out by a small edit; "
                "give each candidate lines of its own"
            )
        found[file.path] = text.encode()
    used = {one.fixture for one in Queue.of(desk.tree).properties if one.id != candidate.id}
    if candidate.fixture.startswith(FOLDER) and candidate.fixture not in used:
        found[candidate.fixture] = None
    return found


def _locks(desk: Desk, law: Property, files: Mapping[str, bytes | None]) -> dict[str, bytes | None]:
    """
    Return both locks and the note that must come with them, as `invoke lock` would write them.
    """
    if not law.fixture:
        return {}
    found = relock(Repo(desk.root), law.note, files, only=law.fixture)
    if any(one.before for one in found.changes) and law.fixture not in files:
        raise UsageError(
            f"{law.id}: the lock of its fixture {law.fixture} is stale; "
            "run `invoke lock --note WHY`, and land that first"
        )
    return {path: text.encode() for path, text in found.files}


def _read_back(desk: Desk, law: Property, files: Mapping[str, bytes | None]) -> Policy:
    """
    Read the new policy: it must say what it said before, and one property more.
    """
    policy = read_policy(Overlaid(desk.tree, files))
    before, after = desk.policy.inventory, policy.inventory
    old, new = ([replace(one, line=0) for one in each.properties] for each in (before, after))
    freezes = [[replace(one, line=0) for one in each.freezes] for each in (before, after)]
    if new != [*old, law] or freezes[0] != freezes[1]:
        raise ConfigError(
            f"{INVENTORY}: the row can't be added by a small edit; add it by hand: {row_of(law)}"
        )
    return policy


def _run(
    desk: Desk, law: Property, files: Mapping[str, bytes | None], policy: Policy, wish: Wish
) -> Mapping[str, Any]:
    """
    Run the property as it will stand, in a scratch copy of the working copy.
    """
    repo = Repo(desk.root)
    with scratch_folder() as folder:
        tree_id = worktree_tree(repo, folder / "objects")
        store = replace(repo, objects=folder / "objects")
        with store.blobs() as blobs:
            tree = Overlaid(TreeSnapshot(store, blobs, tree_id), files)
            place = folder / "tree"
            place.mkdir()
            lay_out(tree, place)
            add_built(desk.root, place, desk.layout.source)
            bench = Bench(
                tree=tree,
                folder=place,
                policy=policy,
                today=wish.today,
                python=wish.python,
                progress=wish.progress,
            )
            return bench.run([law], {}, longest=math.inf)[law.id]


def _refuse_colour(law: Property, row: Mapping[str, Any]) -> None:
    status, detail = row["status"], row["detail"]
    if status == PASS and law.pending:
        raise UsageError(f"{law.id} passes; promote it without --pending, so that it votes")
    if status == MISS and not law.pending:
        raise UsageError(
            f"{law.id} is red: {detail}\n"
            "mend the function or the claim, or promote it with --pending: it votes from the first merge at "
            "which it passes"
        )
    if status not in (PASS, MISS):
        raise UsageError(f"{law.id} can't be promoted: {status}: {detail}")


def _to_commit(repo: Repo, files: Mapping[str, bytes | None]) -> Iterator[str]:
    """
    Yield the paths that Git will know of: what is gone now and was never tracked is none.
    """
    tracked = repo.git("ls-files", "-z", "--", *files, env={"GIT_LITERAL_PATHSPECS": "1"}).split(b"\0")
    known = {os.fsdecode(path) for path in tracked}
    yield from (path for path, data in files.items() if data is not None or path in known)


def _remarks(desk: Desk, repo: Repo) -> Iterator[str]:
    """
    An owner's commit on a branch that also changes code makes a mixed patch of that branch.
    """
    try:
        head = repo.resolve("HEAD")
        base, source = default_base(repo, head, os.environ)
        deltas = repo.deltas(repo.merge_base(base, head), head)
    except GateError:
        return
    agents = [one.path for one in deltas if _is_agents(desk, one.path)]
    if agents and source != "HEAD~1":
        yield (
            f"this branch also changes {_some(agents)} since {source}: land that first, or make this commit "
            "on a branch of its own, since the gate rejects a patch with both"
        )


def _is_agents(desk: Desk, path: str) -> bool:
    layout = desk.layout
    return not (layout.is_human_owned(path) or layout.is_neutral(path) or layout.is_frozen(path))


def _some(names: Sequence[str]) -> str:
    return f"{names[0]} and {len(names) - 1} more files" if len(names) > 1 else names[0]
