"""
What a case class of the suite does to the failures of its tests.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from oraclekeep.oracles.checks import COVERING
from oraclekeep.oracles.evaluate import as_term, evaluate
from oraclekeep.oracles.parsing import below, last_name
from oraclekeep.oracles.values import Scope

if TYPE_CHECKING:
    from oraclekeep.oracles.collect import Test
    from oraclekeep.oracles.values import Run


def case_hides(run: Run, test: Test) -> str:
    """
    Say why a case class of the suite keeps a failed assertion from being one, or nothing.
    """
    owner = test.owner if test.owner is not None and test.owner.is_case else None
    failure = owner.member("failureException") if owner is not None else None
    if failure is not None and isinstance(failure[0], ast.expr):
        raised = as_term(evaluate(run, failure[0], Scope(failure[1].module)))
        if raised.value not in {"AssertionError", "builtins.AssertionError"}:
            return "`failureException` is no failure any more"
    for name in RUNNERS if owner is not None else ():
        runner = owner.member(name) if owner is not None else None
        if runner is not None and isinstance(runner[0], ast.FunctionDef) and not _passes_on(runner[0]):
            return f"`{name}` of the class runs no test, or hides what it raises"
    return ""


#: Methods of a case class that run its tests.
RUNNERS: Final = ("run", "__call__", "_callTestMethod")


def _passes_on(runner: ast.FunctionDef) -> bool:
    """
    Return whether a method that runs tests hands on what it was given, and lets errors through.
    """
    given = [one.arg for one in runner.args.args[1:]]
    nodes = below(runner)
    hides = any(
        handler.type is None or last_name(handler.type) in COVERING
        for node in nodes
        if isinstance(node, ast.Try)
        for handler in node.handlers
        if not any(isinstance(one, ast.Raise) for one in below(handler))
    )
    asked = any(
        isinstance(node, ast.Call)
        and (last_name(node.func) == runner.name or getattr(node.func, "id", "") in given)
        and (
            not given
            or bool(node.keywords)
            or last_name(node.func) in given
            or any(isinstance(one, ast.Starred) or getattr(one, "id", "") in given for one in node.args)
        )
        for node in nodes
    )
    return asked and not hides
