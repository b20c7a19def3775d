"""
A working copy as a snapshot: plain files, as they lie on disk.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Final

from oraclekeep.model import Entry

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

#: Folders that are never part of a tree, wherever they stand.
_SKIPPED: Final = frozenset(
    {".git", ".gate", ".nox", "__pycache__", ".mypy_cache", ".pytest_cache", ".ruff_cache"}
)


class FolderSnapshot:
    """
    Every file below a folder, but for Git's own, the gate's, caches, and virtual environments.
    """

    def __init__(self, root: Path) -> None:
        self._root = root

    @property
    def commit(self) -> str:
        return "working copy"

    @cached_property
    def _paths(self) -> dict[str, Path]:
        return dict(sorted((path.relative_to(self._root).as_posix(), path) for path in _files(self._root)))

    def entry(self, path: str) -> Entry | None:
        found = self._paths.get(path)
        if found is None:
            return None
        oid = blob_id(_bytes(found))
        if found.is_symlink():
            return Entry("120000", oid)
        return Entry("100755" if os.access(found, os.X_OK) else "100644", oid)

    def read(self, path: str) -> bytes | None:
        found = self._paths.get(path)
        return None if found is None else _bytes(found)

    def under(self, folder: str) -> Mapping[str, Entry]:
        prefix = folder.rstrip("/") + "/" if folder else ""
        return _Entries(self, [path for path in self._paths if path.startswith(prefix)])


class _Entries(Mapping[str, Entry]):
    """
    Files by path; a file is read only when its entry is asked for.
    """

    def __init__(self, tree: FolderSnapshot, paths: Sequence[str]) -> None:
        self._tree, self._paths = tree, dict.fromkeys(paths)

    def __getitem__(self, path: str) -> Entry:
        entry = self._tree.entry(path) if path in self._paths else None
        if entry is None:
            raise KeyError(path)
        return entry

    def __iter__(self) -> Iterator[str]:
        return iter(self._paths)

    def __len__(self) -> int:
        return len(self._paths)


def _files(root: Path) -> Iterator[Path]:
    for folder, folders, files in os.walk(root):
        here = Path(folder)
        links = [name for name in folders if (here / name).is_symlink()]
        folders[:] = [
            name for name in folders
            if name not in _SKIPPED and name not in links and not (here / name / "pyvenv.cfg").exists()
        ]  # fmt: skip
        yield from (
            here / name for name in (*files, *links) if (here / name).is_file() or (here / name).is_symlink()
        )


def blob_id(data: bytes) -> str:
    """
    Return the name that Git gives to a file's bytes in a repository that names by SHA-1.
    """
    return hashlib.sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()


def _bytes(path: Path) -> bytes:
    return os.fsencode(path.readlink()) if path.is_symlink() else path.read_bytes()
