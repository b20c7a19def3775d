"""
Cases that a hook writes: what `pytest_generate_tests` gives to a test.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from oraclekeep.oracles import terms
from oraclekeep.oracles.following import invoke
from oraclekeep.oracles.gates import Axis, Front, axis_of
from oraclekeep.oracles.terms import Term
from oraclekeep.oracles.values import Args, Function, Run

if TYPE_CHECKING:
    from collections.abc import Iterator

    from oraclekeep.oracles.collect import Test
    from oraclekeep.oracles.source import Sources

HOOK = "pytest_generate_tests"
_METAFUNC = Term("param", "metafunc")


def generated(sources: Sources, test: Test, front: Front, names: list[str]) -> Iterator[Axis]:
    """
    Yield the axes that hooks of the class, the module or a conftest give to a test with these parameters.

    Conditions of a hook are not decided: what it may give counts.
    """
    for function in _hooks(sources, test):
        run = Run(sources, function.module, invoke)
        invoke(run, function, Args([_METAFUNC]))
        found: dict[tuple[str, ...], Axis] = {}
        for term, place in run.effects:
            if terms.method(term) != "parametrize" or term.args[0].args[0] != _METAFUNC:
                continue
            axis = axis_of(front, term, place)
            if axis.names and set(axis.names) <= set(names):
                held = found.get(axis.names)
                both = axis if held is None else Axis(axis.names, (*held.cases, *axis.cases), axis.iterable)
                found[axis.names] = both
        yield from found.values()


def _hooks(sources: Sources, test: Test) -> Iterator[Function]:
    own = test.owner.member(HOOK) if test.owner is not None else None
    if own is not None and isinstance(own[0], ast.FunctionDef):
        yield Function(own[0], own[1].module)
    for module in (test.home, *sources.conftests(test.home.path)):
        for node in module.defs.get(HOOK, [])[-1:]:
            if isinstance(node, ast.FunctionDef):
                yield Function(node, module)
