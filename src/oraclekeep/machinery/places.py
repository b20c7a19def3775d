"""
Where a text stands in a file of one side, for a finding's line.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from oraclekeep.model import Snapshot


def text_of(tree: Snapshot, path: str) -> str:
    """
    Return a file's text, or nothing where the tree has no such file; bytes that are not UTF-8 are replaced.
    """
    data = tree.read(path)
    return "" if data is None else data.decode("utf-8-sig", "replace").replace("\r\n", "\n")


def line_of(tree: Snapshot, path: str, *needles: str) -> int:
    """
    Return the first line that holds the first of the needles that occurs at all; 1 where none does.
    """
    lines = text_of(tree, path).split("\n")
    for needle in filter(None, needles):
        for number, line in enumerate(lines, 1):
            if needle in line:
                return number
    return 1
