"""
What runs before a test: fixtures that it has unasked, and those that it asks for first.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from oraclekeep.oracles.casework import case_hides
from oraclekeep.oracles.evaluate import as_term
from oraclekeep.oracles.fixtures import autouse, value_of
from oraclekeep.oracles.following import invoke
from oraclekeep.oracles.sharing import again
from oraclekeep.oracles.terms import Term
from oraclekeep.oracles.values import Instance, Run, Value

if TYPE_CHECKING:
    from oraclekeep.oracles.collect import Test
    from oraclekeep.oracles.gates import Front
    from oraclekeep.oracles.source import Sources

SET_UP: Final = ("setup_class", "setUpClass", "setUpTestData", "setup_method", "setup", "setUp", "asyncSetUp")


def begun(sources: Sources, test: Test, front: Front, values: dict[str, Value]) -> Run:
    """
    Read what runs before a case: what is unasked, and then the fixtures that it asks for first.

    The cases of one module or class share it where they can.
    """
    own = {name.removeprefix("param of ") for name in values}
    if any(name.startswith("foreach ") for name in values):
        return _unasked(sources, test, values)
    names = _asked_first(test, front, values)
    shared: Run | None = None
    for count in range(len(names) + 1):
        found = _shared(sources, test, names[:count])
        if not own.isdisjoint(found.fixtures):
            break  # what the case gives is another fixture's to take
        shared = found
    run = (again(shared) if shared is not None else None) or _unasked(sources, test, values)
    run.fixtures |= values
    return run


def _shared(sources: Sources, test: Test, names: tuple[str, ...]) -> Run:
    """
    Return the moment after these fixtures, which is the same for all tests of the module or class.
    """

    def read(_: ast.AST) -> Run:
        if not names:
            return _unasked(sources, test, {})
        run, left = again(_shared(sources, test, names[:-1])), names[-1:]
        if run is None:
            run, left = _unasked(sources, test, {}), names
        for name in left:
            value_of(run, test, name)
        return run

    place = test.owner.node if test.owner is not None else test.home.tree
    return sources.once_asking(f"begun {','.join(names)}", place, read)


def _asked_first(test: Test, front: Front, values: dict[str, Value]) -> tuple[str, ...]:
    """
    Return the fixtures that a test has before anything of its own is done, in their order.
    """
    if test.owner is not None and any(test.owner.member(name) is not None for name in SET_UP):
        return ()
    if front.patched or front.strategies or front.named_strategies:
        return tuple(front.fixtures)
    return (*front.fixtures, *(name for name in parameters(test) if name not in values))


def _unasked(sources: Sources, test: Test, values: dict[str, Value]) -> Run:
    run = first_run(sources, test)
    run.fixtures |= values
    run.guards = tuple(
        Term("foreach", "", (as_term(value),))
        for name, value in values.items()
        if name.startswith("foreach ")
    )
    run.swallowed = case_hides(run, test)
    for fixture in autouse(sources, test):
        value_of(run, test, fixture.name)
    return run


def parameters(test: Test) -> list[str]:
    """
    Return the names that a test is to be given, in their order.
    """
    spec = test.node.args
    names = [one.arg for one in (*spec.posonlyargs, *spec.args)]
    static = any(isinstance(one, ast.Name) and one.id == "staticmethod" for one in test.node.decorator_list)
    if test.owner is not None and not static:
        names = names[1:]
    without_default = len(spec.posonlyargs) + len(spec.args) - len(spec.defaults)
    bare = [one.arg for one in (*spec.posonlyargs, *spec.args)][:without_default]
    bare += [
        one.arg for one, default in zip(spec.kwonlyargs, spec.kw_defaults, strict=True) if default is None
    ]
    return [name for name in (*names, *(one.arg for one in spec.kwonlyargs)) if name in bare]


def first_run(sources: Sources, test: Test) -> Run:
    """
    Return the moment before anything was read of a test.
    """
    return Run(sources, test.home, invoke, instance=Instance(test.owner) if test.owner is not None else None)
