"""
Bytecode of the tree's modules, kept outside the tree for as long as a worker lives.

Every property imports the product anew; compiling it anew would be most of the time.  The tree's own
`__pycache__` is neither written nor read: what was committed there need not be what the source says.
"""

from __future__ import annotations

import sys
from importlib import machinery
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from importlib.abc import PathEntryFinder
    from types import CodeType


def keep(folder: str, roots: Sequence[str]) -> None:
    """
    Send the bytecode of modules below some folders of the import path to a folder of its own.
    """

    class Loader(machinery.SourceFileLoader):
        def get_code(self, fullname: str) -> CodeType | None:
            before = sys.pycache_prefix, sys.dont_write_bytecode
            sys.pycache_prefix, sys.dont_write_bytecode = folder, False
            try:
                return super().get_code(fullname)
            finally:
                sys.pycache_prefix, sys.dont_write_bytecode = before

    find = machinery.FileFinder.path_hook(
        (machinery.ExtensionFileLoader, machinery.EXTENSION_SUFFIXES),
        (Loader, machinery.SOURCE_SUFFIXES),
        (machinery.SourcelessFileLoader, machinery.BYTECODE_SUFFIXES),
    )

    def find_below(path: str) -> PathEntryFinder:
        if not any(path == root or path.startswith(f"{root}/") for root in roots):
            raise ImportError(f"{path} is not below the source folders", path=path)
        return find(path)

    sys.path_hooks.insert(0, find_below)
