"""
Which functions of a noxfile are sessions, and which of them a bare `nox` runs.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from oraclekeep.machinery.pysource import Def
from oraclekeep.machinery.taskfiles import session_name

if TYPE_CHECKING:
    from oraclekeep.machinery.pysource import PyFile


def default_sessions(module: PyFile) -> tuple[tuple[str, ...] | None, int]:
    """
    Return what a bare `nox` runs and the line that says so; None means all but `default=False`.
    """
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Assign) and any(
            module.dotted(target) == "nox.options.sessions" for target in node.targets
        ):
            value = module.fold(node.value)
            if isinstance(value, tuple):
                return tuple(map(str, value)), node.lineno
            return (), node.lineno
    return None, 1


def option_is_on(module: PyFile, name: str) -> bool:
    """
    Tell whether a `nox.options` switch is set to true.
    """
    return any(
        isinstance(node, ast.Assign)
        and any(module.dotted(target) == f"nox.options.{name}" for target in node.targets)
        and module.fold(node.value) is True
        for node in ast.walk(module.tree)
    )


def hidden_sessions(module: PyFile) -> frozenset[str]:
    """
    Return the sessions that a bare `nox` leaves out by `default=False`.
    """
    found = set()
    for node in ast.walk(module.tree):
        if isinstance(node, Def):
            for decorator in node.decorator_list:
                if isinstance(decorator, ast.Call) and any(
                    keyword.arg == "default" and module.fold(keyword.value) is False
                    for keyword in decorator.keywords
                ):
                    found.add(session_name(node, module))
    return frozenset(found)


def decorated(module: PyFile) -> frozenset[str]:
    """
    Return the functions that a decorator makes sessions.
    """
    return frozenset(
        node.name
        for node in module.functions
        for decorator in node.decorator_list
        if module.dotted(decorator.func if isinstance(decorator, ast.Call) else decorator).endswith("session")
    )


def undecorated(module: PyFile) -> frozenset[str]:
    """
    Return the functions that nothing decorates, and that no code of the file names, be it to register them.
    """
    named = {node.id for node in module.of(ast.Name)}
    return frozenset(node.name for node in module.functions if not node.decorator_list) - named
