"""
A tree seen otherwise: with some files replaced, or from one of its folders.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from oraclekeep.folder import blob_id
from oraclekeep.model import Entry

if TYPE_CHECKING:
    from collections.abc import Mapping

    from oraclekeep.model import Snapshot


class Overlaid:
    """
    Another snapshot in which some plain files have other bytes, or are there, or (None) are gone.
    """

    def __init__(self, tree: Snapshot, files: Mapping[str, bytes | None]) -> None:
        self._tree, self._files = tree, files

    @property
    def commit(self) -> str:
        return self._tree.commit

    def read(self, path: str) -> bytes | None:
        return self._files[path] if path in self._files else self._tree.read(path)

    def entry(self, path: str) -> Entry | None:
        if path not in self._files:
            return self._tree.entry(path)
        data = self._files[path]
        return None if data is None else Entry("100644", blob_id(data))

    def under(self, folder: str) -> Mapping[str, Entry]:
        prefix = folder.rstrip("/") + "/" if folder else ""
        found: dict[str, Entry | None] = dict(self._tree.under(folder))
        found |= {path: self.entry(path) for path in self._files if path.startswith(prefix)}
        return {path: entry for path, entry in sorted(found.items()) if entry is not None}


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
