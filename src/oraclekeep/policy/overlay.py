"""
A tree seen otherwise: with some files replaced, or from one of its folders.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from oraclekeep.model import Entry, Snapshot


class Overlaid:
    """
    Another snapshot in which the bytes of some files are others; what is listed stays the same.
    """

    def __init__(self, tree: Snapshot, files: Mapping[str, bytes]) -> None:
        self._tree, self._files = tree, files

    @property
    def commit(self) -> str:
        return self._tree.commit

    def read(self, path: str) -> bytes | None:
        return self._files[path] if path in self._files else self._tree.read(path)

    def entry(self, path: str) -> Entry | None:
        return self._tree.entry(path)

    def under(self, folder: str) -> Mapping[str, Entry]:
        return self._tree.under(folder)


class Below:
    """
    One folder of another snapshot, as if it were the root.
    """

    def __init__(self, tree: Snapshot, folder: str) -> None:
        self._tree, self._top = tree, folder.rstrip("/") + "/"

    @property
    def commit(self) -> str:
        return self._tree.commit

    def read(self, path: str) -> bytes | None:
        return self._tree.read(self._top + path)

    def entry(self, path: str) -> Entry | None:
        return self._tree.entry(self._top + path)

    def under(self, folder: str) -> Mapping[str, Entry]:
        found = self._tree.under(self._top + folder)
        return {path.removeprefix(self._top): entry for path, entry in found.items()}
