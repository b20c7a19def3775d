"""
Finds out whether a property replaced what the checks themselves stand on.
"""

from __future__ import annotations

import builtins
import copy
import copyreg
import inspect
import itertools
import math
import re
import sys
import traceback
import types
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

_MODULES: Final = (builtins, copy, copyreg, inspect, itertools, math, re, traceback, types)
#: Replaced by honest programs, and used by no check.
_COMMON: Final = frozenset(
    {"__import__", "breakpoint", "copyright", "credits", "exit", "help", "input", "license", "open", "print"}
    | {"quit", "_"}
)


class Untouched:
    """
    How these modules and the kit's own were before any of the project's code ran.
    """

    def __init__(self) -> None:
        own = [sys.modules[name] for name in sorted(sys.modules) if name.startswith(f"{__package__}.")]
        self._before = [_Names(module.__name__, vars(module)) for module in (*_MODULES, *own)]
        for module in own:
            for name, value in vars(module).items():
                if isinstance(value, type) and value.__module__ == module.__name__:
                    self._before.append(_Names(f"{module.__name__}.{name}", vars(value)))
                elif isinstance(value, dict) and not name.startswith("__"):
                    self._before.append(_Names(f"{module.__name__}.{name}", value))

    def replaced(self) -> str:
        """
        Name the first thing that is no longer what it was, or nothing.
        """
        return next((name for one in self._before if (name := one.replaced())), "")


class _Names:
    """
    What the names of one module, class or table stood for.
    """

    def __init__(self, place: str, now: Mapping[Any, Any]) -> None:
        self._place, self._now, self._before = place, now, dict(now)

    def replaced(self) -> str:
        for name, value in self._before.items():
            if self._now.get(name) is not value and name not in _COMMON and not str(name).startswith("__"):
                return f"{self._place}.{name}"
        return ""
