"""
pytest fixtures: where a name leads, what it gives, and which ones run unasked.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from oraclekeep.oracles import terms
from oraclekeep.oracles.asserts import place_of
from oraclekeep.oracles.calling import is_generator
from oraclekeep.oracles.collect import lookup
from oraclekeep.oracles.displays import elements, named
from oraclekeep.oracles.evaluate import as_term, evaluate
from oraclekeep.oracles.gates import gates_of_case
from oraclekeep.oracles.module import Import
from oraclekeep.oracles.parsing import last_name
from oraclekeep.oracles.terms import Term
from oraclekeep.oracles.values import Args, Bag, Function, Instance, Late, Run, Scope, Value

if TYPE_CHECKING:
    from collections.abc import Iterator

    from oraclekeep.oracles.collect import Class, Test
    from oraclekeep.oracles.module import Def, Module
    from oraclekeep.oracles.source import Sources


@dataclass(frozen=True)
class Fixture:
    """
    One fixture function and what its decorator says.
    """

    name: str
    node: Def
    module: Module
    autouse: bool = False
    params: ast.expr | None = None
    owner: Class | None = None


def fixture_of(node: ast.stmt, module: Module, owner: Class | None = None) -> Fixture | None:
    """
    Read a definition as a fixture, or return None where it is none.
    """
    if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return None
    for one in node.decorator_list:
        target = one.func if isinstance(one, ast.Call) else one
        label = last_name(target)
        if label not in {"fixture", "yield_fixture"}:
            continue
        keywords = {key.arg: key.value for key in one.keywords} if isinstance(one, ast.Call) else {}
        shown, auto = keywords.get("name"), keywords.get("autouse")
        name = str(shown.value) if isinstance(shown, ast.Constant) else node.name
        return Fixture(
            name,
            node,
            module,
            not (auto is None or (isinstance(auto, ast.Constant) and not auto.value)),
            keywords.get("params"),
            owner,
        )
    return None


def fixtures_in(sources: Sources, module: Module) -> list[Fixture]:
    """
    Return the fixtures that a module defines; each module is looked through once.
    """
    return sources.once("fixtures", module.tree, lambda _: [*_fixtures_in(module)])


def _fixtures_in(module: Module) -> Iterator[Fixture]:
    for nodes in module.defs.values():
        found = fixture_of(nodes[-1], module)
        if found is not None:
            yield found


def _class_fixtures(test: Test) -> Iterator[Fixture]:
    for klass in (test.owner, *test.owner.mro) if test.owner is not None else ():
        for node in klass.node.body:
            found = fixture_of(node, klass.module, klass)
            if found is not None:
                yield found


def _places(sources: Sources, test: Test) -> Iterator[Module]:
    yield test.home
    for star in test.home.stars:
        found = sources.find(test.home.path, star)
        if found is not None:
            yield found[0]
    for conftest in sources.conftests(test.home.path):
        yield conftest
        yield from sources.once("plugins", conftest.tree, partial(_plugins, sources, conftest))


def _plugins(sources: Sources, module: Module, _tree: ast.AST) -> list[Module]:
    """
    Return the modules of the suite that a conftest names in `pytest_plugins`.
    """
    node = module.constants.get("pytest_plugins")
    named = (one.value for one in ast.walk(node) if isinstance(one, ast.Constant)) if node is not None else ()
    found = (sources.find(module.path, Import(one)) for one in named if isinstance(one, str))
    return [one[0] for one in found if one is not None and not one[1]]


def find_fixture(sources: Sources, test: Test, name: str, *, below: Fixture | None = None) -> Fixture | None:
    """
    Find a fixture as pytest would: class, module, what the module imports, then conftest files upwards.

    ``below`` is a fixture that asks for one of its own name, which means the next one further out.
    """
    if below is None:
        place: ast.AST = test.owner.node if test.owner is not None else test.home.tree
        return sources.once(f"fixture {name}", place, lambda _: _find_fixture(sources, test, name))
    return _find_fixture(sources, test, name, below)


def _find_fixture(sources: Sources, test: Test, name: str, below: Fixture | None = None) -> Fixture | None:
    candidates = [*_class_fixtures(test)]
    for module in _places(sources, test):
        candidates += fixtures_in(sources, module)
        target = lookup(sources, module, name) if name in module.imports else None
        if target is not None and isinstance(target[0], (ast.FunctionDef, ast.AsyncFunctionDef)):
            found = fixture_of(target[0], target[1])
            candidates += [found] if found is not None else []
    matching = [one for one in candidates if one.name == name]
    if below is not None:
        nodes = [one.node for one in matching]
        matching = matching[nodes.index(below.node) + 1 :] if below.node in nodes else matching
        matching = [one for one in matching if one.node is not below.node]  # a conftest is its own one, too
    return matching[0] if matching else None


def autouse(sources: Sources, test: Test) -> list[Fixture]:
    """
    Return the fixtures that run for a test unasked, outermost first.
    """
    found = [one for module in _places(sources, test) for one in fixtures_in(sources, module) if one.autouse][
        ::-1
    ]
    return list(
        {one.name: one for one in [*found, *(one for one in _class_fixtures(test) if one.autouse)]}.values()
    )


def value_of(run: Run, test: Test, name: str, *, below: Fixture | None = None) -> Value:
    """
    Return what a fixture gives to a test.  One that the suite does not define is a term of its name.
    """
    if below is None and name in run.fixtures:
        return run.fixtures[name]
    found = find_fixture(run.sources, test, name, below=below)
    if found is None and name == "request":
        return Bag({})
    if found is None:
        return run.fixtures.setdefault(name, Term("fixture", name))  # a case may give it
    if below is None:
        run.fixtures[name] = Term("fixture", name)  # a cycle ends here
    value = named(_call(run, test, found), name)
    if below is None:
        run.fixtures[name] = value
    return value


def _call(run: Run, test: Test, fixture: Fixture) -> Value:
    args = Args()
    for one in [*fixture.node.args.posonlyargs, *fixture.node.args.args, *fixture.node.args.kwonlyargs]:
        if one.arg in {"self", "cls"} and fixture.owner is not None:
            continue
        if one.arg == "request":
            args.named["request"] = Bag(
                {"param": run.fixtures.get(f"param of {fixture.name}", Term("param", fixture.name))}
            )
        else:
            args.named[one.arg] = value_of(
                run, test, one.arg, below=fixture if one.arg == fixture.name else None
            )
    owner = run.instance if fixture.owner is not None else None
    function = Function(fixture.node, fixture.module, owner=owner if isinstance(owner, Instance) else None)
    if not run.sources.once("generator", fixture.node, is_generator):
        return run.invoke(run, function, args)
    given: list[Value] = []
    reached: list[int] = []
    held: dict[str, Value] = {}

    def at_yield(value: Value) -> None:
        given.append(value)
        reached.append(len(run.checks))
        held.update(owner.attrs if isinstance(owner, Instance) else {})

    run.on_yield.append(at_yield)
    run.invoke(run, function, args)
    run.on_yield.pop()
    if reached and isinstance(owner, Instance):
        owner.attrs = held  # what it does to them afterwards, no test sees
    if reached and len(run.checks) > reached[0]:
        run.teardown.append(Late(tuple(run.checks[reached[0] :])))
        del run.checks[reached[0] :]
    return given[0] if given else terms.NONE


def parametrized(run: Run, test: Test, names: list[str]) -> dict[str, tuple[Term, ...]]:
    """
    Return the written-out `params` of every fixture that a test reaches, by fixture name.
    """
    found: dict[str, tuple[Term, ...]] = {}
    seen: set[str] = set()
    todo = list(names)
    while todo:
        name = todo.pop()
        if name in seen:
            continue
        seen.add(name)
        fixture = find_fixture(run.sources, test, name)
        if fixture is None:
            continue
        todo += [one.arg for one in fixture.node.args.args]
        if fixture.params is not None:
            scope = Scope(fixture.module)
            items = elements(as_term(evaluate(run, fixture.params, scope)))
            for one in items or ():
                if one.op == "case":
                    run.gates += gates_of_case(one, place_of(fixture.params, scope))
            if items:
                found[name] = tuple(one.args[0] if one.op == "case" and one.args else one for one in items)
    return found
