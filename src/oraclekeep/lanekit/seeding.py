"""
Seeds the generators that a whole process shares: `random`'s, and numpy's as soon as it is imported.
"""

from __future__ import annotations

import random
import sys
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Callable
    from importlib.machinery import ModuleSpec
    from types import ModuleType

_NUMPY: Final = "numpy.random"


def pin(seed: int) -> None:
    """
    Seed what is there, and numpy when it comes.
    """
    random.seed(seed)
    sys.meta_path.insert(0, _OnImport(_NUMPY, lambda module: module.seed(seed % 2**32)))


class _OnImport:
    """
    A finder that finds nothing by itself; it has something done to one module at the end of its import.
    """

    def __init__(self, name: str, then: Callable[[Any], None]) -> None:
        self._name, self._then = name, then

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        if name != self._name:
            return None
        sys.meta_path[:] = [finder for finder in sys.meta_path if finder is not self]
        specs = (finder.find_spec(name, path, target) for finder in sys.meta_path)
        spec = next((spec for spec in specs if spec is not None), None)
        loader: Any = spec.loader if spec is not None else None
        if loader is not None:
            load, then = loader.exec_module, self._then

            def exec_module(module: ModuleType) -> None:
                load(module)
                then(module)

            loader.exec_module = exec_module
        return spec
