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
import traceback
import types
from typing import Any, Final

_MODULES: Final = (builtins, copy, copyreg, inspect, itertools, math, re, traceback, types)
#: Replaced by honest programs, and used by no check.
_COMMON: Final = frozenset(
    {"__import__", "breakpoint", "copyright", "credits", "exit", "help", "input", "license", "open", "print"}
    | {"quit", "_"}
)


class Untouched:
    """
    How these modules were before any of the project's code ran.
    """

    def __init__(self) -> None:
        self._before: list[tuple[dict[str, Any], dict[str, Any]]] = [
            (vars(module), dict(vars(module))) for module in _MODULES
        ]
        self._names = [module.__name__ for module in _MODULES]

    def replaced(self) -> str:
        """
        Name the first thing that is no longer what it was, or nothing.
        """
        for module, (now, before) in zip(self._names, self._before, strict=True):
            for name, value in before.items():
                if now.get(name) is not value and name not in _COMMON and not name.startswith("__"):
                    return f"{module}.{name}"
        return ""
