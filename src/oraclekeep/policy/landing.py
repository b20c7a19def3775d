"""
What would lie in a tree after the patch lands on it.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from oraclekeep.model import Delta, Entry, Snapshot


class Landing:
    """
    A tree with a patch's changed paths laid over it, whole files at a time.

    It equals head where base has not moved on.  Two edits of one file are a matter for the merge.
    """

    def __init__(self, tip: Snapshot, head: Snapshot, deltas: Iterable[Delta]) -> None:
        self._tip, self._head = tip, head
        self._changed = {delta.path: delta.new for delta in deltas}

    @property
    def commit(self) -> str:
        return self._head.commit

    @cached_property
    def _entries(self) -> Mapping[str, Entry]:
        found: dict[str, Entry] = {
            path: entry for path, entry in self._tip.under("").items() if path not in self._changed
        }
        found |= {path: entry for path, entry in self._changed.items() if entry is not None}
        return dict(sorted(found.items()))

    def entry(self, path: str) -> Entry | None:
        return self._changed[path] if path in self._changed else self._tip.entry(path)

    def read(self, path: str) -> bytes | None:
        side = self._head if path in self._changed else self._tip
        return side.read(path) if self.entry(path) is not None else None

    def under(self, folder: str) -> Mapping[str, Entry]:
        prefix = folder.rstrip("/") + "/" if folder else ""
        return {path: entry for path, entry in self._entries.items() if path.startswith(prefix)}
