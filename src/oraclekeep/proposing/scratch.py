"""
A tree as plain files in a scratch folder: what candidates call may write and delete there, and nowhere else.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

from oraclekeep.folder import FolderSnapshot
from oraclekeep.policy.digests import link_target

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from oraclekeep.model import Snapshot

#: What an import needs and Git often ignores: versions that a build wrote, compiled modules.
_IMPORTABLE: Final = (".py", ".so", ".pyd", ".dylib", ".dll")


def lay_out(tree: Snapshot, folder: Path, keep: Callable[[str], bool] = lambda _: True) -> None:
    """
    Write the files of a tree, or those that are to be kept, into an empty folder; no link that leaves it.
    """
    for path, entry in tree.under("").items():
        if entry.is_submodule or not keep(path) or {"", ".", "..", ".git"} & {*path.lower().split("/")}:
            continue
        data, place = tree.read(path) or b"", folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        if not entry.is_link:
            place.write_bytes(data)
            if entry.mode == "100755":
                place.chmod(0o755)
        elif link_target(path, data):
            place.symlink_to(os.fsdecode(data))


def add_built(root: Path, folder: Path, source: Iterable[str]) -> None:
    """
    Copy what the working copy can import and its tree does not hold.
    """
    files = FolderSnapshot(root)
    for top in source:
        for path in files.under("" if top == "." else top):
            place = folder / path
            if path.endswith(_IMPORTABLE) and not place.exists() and not place.is_symlink():
                place.parent.mkdir(parents=True, exist_ok=True)
                place.write_bytes((root / path).read_bytes())
