"""
Digests of frozen inputs, from what Git stores and never from disk (SPEC §3).
"""

from __future__ import annotations

import hashlib
import os
import posixpath
from typing import TYPE_CHECKING, Final

from oraclekeep.effects import sha256
from oraclekeep.lanekit import fixtures

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from oraclekeep.model import Entry, FileLock, Snapshot

#: The digest of an empty tree and of an absent file: what a note announces when frozen bytes are to go.
NOTHING: Final = sha256(b"")
_LFS_POINTER: Final = b"version https://git-lfs.github.com/spec/"


def tree_digest(tree: Snapshot, folder: str, *, without: frozenset[str] = frozenset()) -> str:
    """
    Return the digest of a fixture tree; paths in ``without`` are left out.
    """
    start = len(folder.rstrip("/")) + 1
    return digest_of(
        (path[start:], stored_bytes(tree, path, entry))
        for path, entry in tree.under(folder).items()
        if path not in without
    )


def digest_of(files: Iterable[tuple[str, bytes]]) -> str:
    """
    Return the digest of (path relative to the tree, bytes) pairs, whatever order they are listed in.
    """
    total = hashlib.sha256()
    for path, data in sorted(files, key=lambda file: file[0].split("/")):
        total.update(os.fsencode(path) + b"\0" + data + b"\0")
    return total.hexdigest()


def stored_bytes(tree: Snapshot, path: str, entry: Entry) -> bytes:
    """
    Return a path's bytes; a link's are its target's name, a submodule's the commit that it is pinned to.
    """
    return entry.oid.encode("ascii") if entry.is_submodule else tree.read(path) or b""


def file_digest(data: bytes | None, canonical: str = "") -> str:
    """
    Return the digest of a file's bytes, as the lanes compute it; an absent file has none.
    """
    return NOTHING if data is None else fixtures.file_digest(data, canonical)


def fixture_digest(tree: Snapshot, path: str, locks: Mapping[str, FileLock]) -> str:
    """
    Return the digest of one fixture in the form that its lock asks for.
    """
    lock = locks.get(path)
    return file_digest(tree.read(path), lock.canonical if lock else "")


def is_lfs_pointer(data: bytes | None) -> bool:
    """
    Return whether a pointer of Git LFS stands here in place of the content.
    """
    return data is not None and len(data) < 1024 and data.startswith(_LFS_POINTER)


def leaving_links(tree: Snapshot, folder: str) -> tuple[str, ...]:
    """
    Return the links below a folder that point out of it, or that cannot be followed by reading names alone.
    """
    return tuple(
        path
        for path, entry in tree.under(folder).items()
        if entry.is_link and not _below(link_target(path, tree.read(path) or b""), folder)
    )


def link_target(path: str, text: bytes) -> str:
    """
    Return where a link points, relative to the repository's root; empty where names alone do not tell.

    `..` after a name may mean another place than it says: the name can be a link itself.
    """
    target = os.fsdecode(text)
    steps = target.split("/")
    ups = next((index for index, step in enumerate(steps) if step not in ("..", ".")), len(steps))
    if target.startswith("/") or "\\" in target or ":" in target or ".." in steps[ups:]:
        return ""
    found = posixpath.normpath(posixpath.join(posixpath.dirname(path), target))
    return "" if found.startswith("../") or found in ("..", ".") else found


def _below(path: str, folder: str) -> bool:
    return path.startswith(folder.rstrip("/") + "/")
