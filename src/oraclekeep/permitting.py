"""
What an owner allows: rows for the ledger and for `oracle/intent.json`, checked before they are written.
"""

from __future__ import annotations

import difflib
import os
import shlex
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from oraclekeep.effects import write_atomic
from oraclekeep.errors import ConfigError, UsageError
from oraclekeep.folder import FolderSnapshot
from oraclekeep.git import Repo, TreeSnapshot
from oraclekeep.model import RowKind
from oraclekeep.paths import Layout, is_below
from oraclekeep.policy import digests, is_adopted, read_policy
from oraclekeep.policy.documents import read_document
from oraclekeep.policy.editing import append_to_list
from oraclekeep.policy.files import INTENT
from oraclekeep.policy.ledgers import QUARANTINE
from oraclekeep.policy.overlay import Overlaid
from oraclekeep.rows import ROWS
from oraclekeep.rules.nodeids import missing_test

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from oraclekeep.model import Policy, Snapshot

_FEW: Final = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit:
    """
    Rows for one file, its new text, and the message of the commit that brings them.
    """

    path: str
    rows: tuple[Any, ...]
    text: str
    message: str
    remarks: tuple[str, ...] = ()

    def commands(self) -> tuple[str, ...]:
        """
        Return the lines that make a commit of its own of it.
        """
        return (f"git add -- {self.path}", f"git commit -m {shlex.quote(self.message)} -- {self.path}")


@dataclass(frozen=True, slots=True)
class Desk:
    """
    The working copy with its policy, as an owner's command finds them.
    """

    root: Path
    tree: Snapshot
    policy: Policy
    layout: Layout

    def text(self, path: str) -> str:
        """
        Return a file's text; one that is not there is an empty mapping.
        """
        return (self.tree.read(path) or b"{}\n").decode("utf-8")

    def edited(self, path: str, key: str, rows: Sequence[Any], message: str, *remarks: str) -> Edit:
        """
        Add rows to a list of a JSON file and read the whole policy back: it must say these rows more.

        Raises `ConfigError` where the file's schema has something against it.
        """
        text = append_to_list(path, self.text(path), key, rows)
        changed = Overlaid(self.tree, {path: text.encode()})
        read_policy(changed)
        before, after = (
            read_document(path, data.encode()).value.get(key) or [] for data in (self.text(path), text)
        )
        if after != [*before, *rows]:
            raise ConfigError(f"{path}: the rows can't be added by a small edit; add them by hand: {rows}")
        return Edit(path=path, rows=tuple(rows), text=text, message=message, remarks=remarks)


def open_desk(start: Path) -> Desk:
    """
    Read the working copy.

    Raises `UsageError` where it is not adopted, or holds changes that must not land together with an owner's.
    """
    repo = Repo.at(start)
    tree = FolderSnapshot(repo.root)
    if not is_adopted(tree):
        raise UsageError(f"{repo.root}: there is no oracle/ here; run `oraclekeep init` first")
    policy = read_policy(tree)
    layout = Layout.of(tree, policy)
    mixed = [path for path in changed_paths(repo) if _is_agents(layout, path)]
    if mixed:
        more = f" and {len(mixed) - _FEW} more" if len(mixed) > _FEW else ""
        raise UsageError(
            f"{', '.join(mixed[:_FEW])}{more}: not committed, and must not land together with this; "
            "commit them elsewhere or `git stash` them first"
        )
    return Desk(repo.root, tree, policy, layout)


def write(desk: Desk, edit: Edit) -> None:
    write_atomic(desk.root / edit.path, edit.text)


def changed_paths(repo: Repo) -> list[str]:
    """
    Return what differs from the last commit or is new, both names of a rename.
    """
    options = ("--porcelain=v1", "-z", "--untracked-files=all", "--no-renames")
    out = repo.git("-c", "core.fsmonitor=false", "status", *options)
    return [os.fsdecode(record[3:]) for record in out.split(b"\0") if record]


def _is_agents(layout: Layout, path: str) -> bool:
    return not (layout.is_human_owned(path) or layout.is_neutral(path) or layout.is_frozen(path))


# ------------------------------------------------------------------------------------------------ quarantine


@dataclass(frozen=True, slots=True, kw_only=True)
class Quarantine:
    """
    A test that shall not vote for a while.
    """

    nodeid: str
    issue: str
    reason: str
    expires: dt.date
    points: int = 1
    owner: str = ""


def quarantine(desk: Desk, wish: Quarantine, today: dt.date) -> Edit:
    """
    Work out a row of the ledger.

    Raises `UsageError` for one that the gate would not accept.
    """
    policy, horizon = desk.policy, desk.policy.settings.max_exception_days
    _ahead(wish.expires, today)
    if (wish.expires - today).days > horizon:
        raise UsageError(f"--expires {wish.expires}: beyond the horizon of {horizon} days")
    if wish.points < 1:
        raise UsageError(f"--points {wish.points}: a quarantine costs at least 1")
    known = next((row for row in policy.quarantine if row.nodeid == wish.nodeid), None)
    if known:
        raise UsageError(f"{wish.nodeid} has a row already ({QUARANTINE}:{known.line}); edit that one")
    row = {
        "nodeid": wish.nodeid,
        "issue": wish.issue,
        "expires": wish.expires.isoformat(),
        **({"points": wish.points} if wish.points != 1 else {}),
        "reason": wish.reason,
        **({"owner": wish.owner} if wish.owner else {}),
    }
    message = f"Quarantine {wish.nodeid} until {wish.expires}: {wish.reason} ({wish.issue})"
    used = sum(one.points for one in policy.quarantine if one.expires > today)
    used += sum(one.points for one in policy.inventory.freezes if one.expires_on > today)
    cap = policy.intent.debit_cap
    if used + wish.points > cap:
        raise UsageError(
            f"{used} of {cap} points are used; {wish.points} more would overdraw: mend something and remove "
            "its row first"
        )
    remark = (
        f"{wish.nodeid} will not vote until {wish.expires}; {used + wish.points} of {cap} points are used"
    )
    edit = desk.edited(QUARANTINE, "items", [row], message, remark)
    _named_test(desk, wish.nodeid)
    return edit


def _ahead(expires: dt.date, today: dt.date) -> None:
    if expires <= today:
        raise UsageError(f"--expires {expires}: that day has come; give one ahead")


def _named_test(desk: Desk, nodeid: str) -> None:
    if missing := missing_test(desk.tree, nodeid, desk.layout):
        raise UsageError(f"{nodeid} {missing}")


# ---------------------------------------------------------------------------------------------------- intent


def intend(
    desk: Desk, paths: Iterable[str], here: Path, *, issue: str, expires: dt.date | None, today: dt.date
) -> Edit:
    """
    Let production modules change what they do.

    Raises `UsageError` for a path that names no production code.
    """
    if expires:
        _ahead(expires, today)
    listed = {one.path for one in desk.policy.intent.allow_behavior_change}
    names = dict.fromkeys(_place(desk, path, here) for path in paths)
    if not names:
        raise UsageError("name the modules whose behaviour may change: a file, or a folder ending in /")
    for name in names:
        if name in listed:
            raise UsageError(f"{name} is listed in {INTENT} already")
        inner = [path for path in desk.tree.under("") if path == name or path.startswith(name)]
        if not any(map(desk.layout.is_production, inner)):
            raise UsageError(f"{name} holds no production code; intent is for what the product does")
    more = {"issue": issue} if issue else {}
    more |= {"expires": expires.isoformat()} if expires else {}
    rows: list[Any] = [{"path": name, **more} if more else name for name in names]
    why = f" ({issue})" if issue else ""
    return desk.edited(INTENT, "allow_behavior_change", rows, f"Intend changes in {', '.join(names)}{why}")


def _place(desk: Desk, path: str, here: Path) -> str:
    """
    Return a path from the repository's root, as intent names it: a folder ends in `/`.

    Raises `UsageError` where there is no such file or folder.
    """
    tried = [(here / path).resolve(), (desk.root / path).resolve()]
    for each in tried:
        if each.exists() and each.is_relative_to(desk.root.resolve()):
            name = each.relative_to(desk.root.resolve()).as_posix()
            return f"{name}/" if each.is_dir() else name
    near = difflib.get_close_matches(path, list(desk.tree.under("")), n=1)
    raise UsageError(f"{path}: no such file here{f'; did you mean {near[0]}?' if near else ''}")


# ------------------------------------------------------------------------------------------------- allowances


@dataclass(frozen=True, slots=True, kw_only=True)
class Leave:
    """
    Leave for one row of the decision table.
    """

    row: str
    issue: str
    reason: str
    expires: dt.date


def allow(desk: Desk, leave: Leave, targets: Sequence[str], today: dt.date) -> Edit:
    """
    Turn the findings of one row on tests, properties or paths into reported ones.

    Raises `UsageError` for a row that can't be allowed, or a target that names nothing.
    """
    _ahead(leave.expires, today)
    allowed = [row.id for row in ROWS.values() if row.kind is RowKind.NEGATIVE]
    if leave.row not in allowed:
        near = difflib.get_close_matches(leave.row, allowed, n=1)
        hint = f"did you mean {near[0]}?" if near else f"those that can be allowed are {', '.join(allowed)}"
        raise UsageError(f"{leave.row}: {hint}")
    if not targets:
        raise UsageError(f"name the tests, properties or paths for which {leave.row} is allowed")
    remarks: list[str] = []
    rows = []
    for target in dict.fromkeys(targets):
        key, value = _target(desk, target)
        if key == "path" and desk.tree.read(value) is None:
            remarks.append(f"{value} is not here yet; the allowance is for a patch that brings it")
        rows.append(
            {
                "row": leave.row,
                key: value,
                "issue": leave.issue,
                "reason": leave.reason,
                "expires": leave.expires.isoformat(),
            }
        )
    _refuse_twice(desk, rows, today)
    message = f"Allow {leave.row} for {', '.join(targets)}: {leave.reason} ({leave.issue})"
    return desk.edited(INTENT, "allowances", rows, message, *remarks)


def _target(desk: Desk, target: str) -> tuple[str, str]:
    """
    Tell what a word names: a property of the inventory, a test, or a path.
    """
    if target in {one.id for one in desk.policy.inventory.properties}:
        return "property", target
    if "::" not in target:
        return "path", target.replace(os.sep, "/")
    _named_test(desk, target)
    return ("property" if is_below(target, "oracle/properties") else "nodeid"), target


def _refuse_twice(desk: Desk, rows: Iterable[Mapping[str, str]], today: dt.date) -> None:
    for old in desk.policy.intent.allowances:
        for new in rows:
            same = all(getattr(old, key) == new.get(key, "") for key in ("row", "nodeid", "path", "property"))
            if same and old.expires > today:
                raise UsageError(
                    f"{old.row} is allowed there until {old.expires} already; edit {INTENT}:{old.line}"
                )


# ---------------------------------------------------------------------------------------------- announcements


def announce(desk: Desk, name: str, reason: str, ref: str) -> Edit:
    """
    Let a later agent patch bring exactly the bytes that a commit, or else the working copy, has.

    Raises `UsageError` for what is not frozen, or is the same already.
    """
    name = name.rstrip("/")
    policy = desk.policy
    is_tree = name in (*policy.tree_locks, *policy.settings.fixtures)
    if not is_tree and name not in policy.file_locks:
        frozen = ", ".join((*policy.tree_locks, *policy.file_locks)) or "nothing yet; run `invoke lock`"
        raise UsageError(f"{name} is not frozen, so it needs no announcement; frozen is {frozen}")
    digest = _digest(desk, name, ref, is_tree=is_tree)
    locked = policy.tree_locks.get(name) if is_tree else policy.file_locks[name].sha256
    where = ref or "the working copy"
    if digest == locked:
        raise UsageError(f"{name} is the same in {where} as it is locked; there is nothing to announce")
    key = "tree" if is_tree else "path"
    for note in policy.intent.fixture_changes:
        if note.digest == digest and name in (note.tree, note.path):
            raise UsageError(f"{name} is announced with these bytes already ({INTENT}:{note.line})")
    row = {key: name, "digest": digest, "reason": reason}
    remark = "land this first; then the patch may bring these bytes together with its code"
    return desk.edited(INTENT, "fixture_changes", [row], f"Announce {name}: {reason}", remark)


def _digest(desk: Desk, name: str, ref: str, *, is_tree: bool) -> str:
    from oraclekeep.effects import scratch_folder  # noqa: PLC0415  # only here
    from oraclekeep.refs import worktree_tree  # noqa: PLC0415  # same

    repo = Repo(desk.root)
    with scratch_folder() as folder:
        if ref:
            treeish = repo.resolve(ref)
        else:
            treeish = worktree_tree(repo, folder / "objects")
            repo = Repo(desk.root, objects=folder / "objects")
        with repo.blobs() as blobs:
            tree = TreeSnapshot(repo, blobs, treeish)
            if is_tree:
                return digests.tree_digest(tree, name) if tree.under(name) else digests.NOTHING
            data = tree.read(name)
            form = desk.policy.file_locks[name].canonical
            return digests.NOTHING if data is None else digests.file_digest(data, form)
