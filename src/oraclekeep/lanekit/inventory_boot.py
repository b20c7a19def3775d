"""
Starts a worker: `python inventory_boot.py FOLDER`, in any Python, with the kit installed or not.

Loads the folder's modules under a name of their own, all with one copy of the builtins: a product that
replaces `builtins.all` does so for everyone else, and not for what judges it.
"""

from __future__ import annotations

import sys

if sys.version_info < (3, 11):  # noqa: UP036  # the worker's Python need not be the kit's
    sys.exit("Python 3.11 or later is needed; this is " + sys.version.split()[0])

import builtins
import importlib.util
import os
from importlib import machinery
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from importlib.abc import PathEntryFinder
    from types import ModuleType

PACKAGE: Final = "oraclekeep_lanekit"


def boot(folder: str) -> None:
    """
    Load the worker and let it work.
    """
    ours: dict[str, Any] = dict(vars(builtins))

    class Loader(machinery.SourceFileLoader):
        def exec_module(self, module: ModuleType) -> None:
            vars(module)["__builtins__"] = ours
            super().exec_module(module)

    find = machinery.FileFinder.path_hook((Loader, machinery.SOURCE_SUFFIXES))

    def find_ours(path: str) -> PathEntryFinder:
        if path != folder:
            raise ImportError(f"{path} is not the kit's", path=path)
        return find(path)

    sys.path_hooks.insert(0, find_ours)
    start = os.path.join(folder, "__init__.py")  # noqa: PTH118  # `pathlib` is slow to load
    spec = machinery.ModuleSpec(PACKAGE, Loader(PACKAGE, start), origin=start, is_package=True)
    spec.submodule_search_locations = [folder]
    sys.modules[PACKAGE] = importlib.util.module_from_spec(spec)
    importlib.import_module(f"{PACKAGE}.inventory_worker").main()


if __name__ == "__main__":
    os.environ.pop("PYTHONSAFEPATH", None)
    boot(sys.argv[1])
