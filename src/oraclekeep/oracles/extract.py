"""
One collected test becomes its facts: the checks of all its cases, its gates, its inputs.
"""

from __future__ import annotations

import ast
import itertools
import math
from collections import Counter
from typing import TYPE_CHECKING, Final

from oraclekeep.oracles import (
    branching,
    calling,
    contexts,
    displays,
    naming,
    operators,
    statements,
    terms,
    trying,
)
from oraclekeep.oracles.asserts import place_of
from oraclekeep.oracles.beginning import SET_UP, begun, first_run, parameters
from oraclekeep.oracles.checks import Facts, Gate, Place
from oraclekeep.oracles.evaluate import as_term, evaluate
from oraclekeep.oracles.fixtures import fixture_of, parametrized, value_of
from oraclekeep.oracles.flow import Returned, execute
from oraclekeep.oracles.following import invoke
from oraclekeep.oracles.gates import Axis, Front, front_of
from oraclekeep.oracles.generating import generated
from oraclekeep.oracles.marks import mark_on
from oraclekeep.oracles.terms import Term
from oraclekeep.oracles.values import Args, Function, Instance, Pending, Run, Scope, Value

if TYPE_CHECKING:
    from collections.abc import Callable

    from oraclekeep.oracles.checks import Check
    from oraclekeep.oracles.collect import Test
    from oraclekeep.oracles.module import Module
    from oraclekeep.oracles.source import Sources

#: The modules that read syntax; importing them is what registers their readers.
READING: Final = (branching, calling, contexts, displays, naming, operators, statements, trying)
#: More cases than this are not written out: the test is read once, and they are compared as they are.
MAX_CASES: Final = 80
#: The strategy that lets a test draw while it runs: what it draws counts.
DATA: Final = terms.call(terms.name("hypothesis.strategies.data"))
#: Functions that a module runs before any of its tests.
BEFORE: Final = ("setup_module", "setUpModule", "setup_function")
TEAR_DOWN: Final = (
    "tearDown",
    "asyncTearDown",
    "teardown_method",
    "teardown",
    "tearDownClass",
    "teardown_class",
)


def facts_of(sources: Sources, test: Test, *, write_out: bool = True) -> Facts:
    """
    Read one test.  With too many cases, or ``write_out`` false, its body is read once for all of them.
    """
    first = first_run(sources, test)
    front = front_of(first, test)
    facts = Facts(
        test.nodeid, place=Place(test.module.path, test.node.lineno, test.module.segment(test.node))
    )
    axes = _axes(first, test, front)
    facts.gates += [*front.gates, *_defined_where(first, test)]
    facts.marks |= front.marks
    facts.case_marks |= front.case_marks
    for module in (test.home, *sources.conftests(test.home.path)):
        _absorb(facts, at_import(sources, module))
    _absorb(facts, first)
    facts.max_examples, facts.generates = front.max_examples, front.generates
    facts.time_limit = front.time_limit
    facts.awaited = front.awaited if isinstance(test.node, ast.AsyncFunctionDef) else None
    facts.uses |= first.uses
    facts.effects += front.scene
    _strategies(facts, front, test)
    counts: Counter[object] = Counter()
    kept: dict[object, list[Check]] = {}
    facts.written_out = write_out and math.prod(max(1, len(axis.cases)) for axis in axes) <= MAX_CASES
    for case, values in _cases(axes, written=facts.written_out):
        run = begun(sources, test, front, values)
        _one_case(run, test, front, values)
        forms: dict[object, list[Check]] = {}
        for one in run.checks:
            forms.setdefault(one.form, []).append(one)
        for form, checks in forms.items():
            moments = list(
                {one.moment: one for one in checks}.values()
            )  # asked twice at one moment is asked once
            if len(moments) > counts[form]:
                counts[form], kept[form] = len(moments), moments
        facts.cases[case] = frozenset(forms)
        for place, strategy in run.interactive.items():
            facts.strategies.setdefault(place, strategy)
        _absorb(facts, run)
    facts.checks = [one for checks in kept.values() for one in checks]
    facts.effects = list(dict.fromkeys(facts.effects))
    facts.gates = list(dict.fromkeys(facts.gates))
    return facts


def _defined_where(run: Run, test: Test) -> list[Gate]:
    """
    A test that a module defines only under a condition is skipped where the condition does not hold.
    """
    name = test.nodeid.split("::")[1]
    if name not in test.home.under:
        return []
    node, positive = test.home.under[name]
    scope = Scope(test.home)
    condition = as_term(evaluate(run, node, scope))
    opposite = condition.args[0] if condition.op == "unary" else Term("unary", "Not", (condition,))
    return [Gate("skip", opposite if positive else condition, place_of(node, scope))]


def _absorb(facts: Facts, run: Run) -> None:
    facts.gates += run.gates
    facts.effects += run.effects
    facts.patches |= run.patches
    facts.uses |= run.uses
    facts.unpacked |= run.unpacked
    facts.options |= run.options
    facts.mocks, facts.specced = max(facts.mocks, run.mocks), max(facts.specced, run.specced)


def _strategies(facts: Facts, front: Front, test: Test) -> None:
    names = parameters(test)
    placed = dict(zip(names[::-1], front.strategies[::-1], strict=False)) if front.strategies else {}
    for name, strategy in (placed | front.named_strategies).items():
        if strategy == DATA:
            facts.strategies["data"] = strategy
            continue
        facts.strategies[str(names.index(name)) if name in names else name] = strategy


def _axes(run: Run, test: Test, front: Front) -> list[Axis]:
    """
    Return what multiplies a test: parametrize, and fixtures with params.
    """
    axes = [axis for axis in front.axes if axis.names]
    axes += generated(run.sources, test, front, parameters(test))
    reached = [*parameters(test), *front.fixtures]
    given = {name for axis in axes for name in axis.names}
    for name, items in parametrized(run, test, reached).items():
        if name not in given:
            axes.append(Axis((f"param of {name}",), tuple((one,) for one in items)))
    return axes


def _cases(axes: list[Axis], *, written: bool) -> list[tuple[Term, dict[str, Value]]]:
    """
    Write out the product of all axes.
    """
    rows: list[list[tuple[str, Value]]] = [
        [pair for part in combination for pair in part]
        for combination in itertools.product(*(_rows(axis, written=written) for axis in axes))
    ]
    return [(_label(dict(row), axes, written=written), dict(row)) for row in rows]


def _rows(axis: Axis, *, written: bool) -> list[list[tuple[str, Value]]]:
    labels = [f"param of {name}" if name in axis.indirect else name for name in axis.names]
    if axis.iterable is None and written:
        return [list(zip(labels, case, strict=False)) for case in axis.cases]
    source = axis.iterable if axis.iterable is not None else Term("cases", ",".join(axis.names))
    each = Term("each", "", (source,))
    single = len(axis.names) == 1
    bound: list[tuple[str, Value]] = [
        (label, each if single else Term("index", "", (each, terms.const(index))))
        for index, label in enumerate(labels)
    ]
    return [[*bound, (f"foreach {','.join(axis.names)}", source)]]


def _label(row: dict[str, Value], axes: list[Axis], *, written: bool) -> Term:
    if written:
        return Term(
            "case", "", tuple(sorted(Term("kw", name, (as_term(value),)) for name, value in row.items()))
        )
    return Term("cases", "", tuple(Term("tuple", "", case) for axis in axes for case in axis.cases))


def _one_case(run: Run, test: Test, front: Front, values: dict[str, Value]) -> None:
    for name in front.fixtures:
        value_of(run, test, name)
    _hooks(run, SET_UP)
    for args in _calls(run, test, front, values):
        _call_test(run, test, front, args)
    _hooks(run, TEAR_DOWN)
    while run.teardown:
        run.teardown.pop()(run)


def _hooks(run: Run, names: tuple[str, ...]) -> None:
    if run.instance is None:
        return
    for name in names:
        if run.instance.klass.is_case and name in {"setup", "teardown"}:
            continue  # unittest knows them not
        found = run.instance.klass.member(name)
        if found is None or not isinstance(found[0], (ast.FunctionDef, ast.AsyncFunctionDef)):
            continue
        if fixture_of(found[0], found[1].module) is None:  # which runs as one, whatever its name
            invoke(run, Function(found[0], found[1].module, owner=run.instance), Args())


def _calls(run: Run, test: Test, front: Front, values: dict[str, Value]) -> list[Args]:
    """
    Return the arguments of each call of the test: one for the drawn values, one for each example.
    """
    names = parameters(test)
    drawn = dict(zip(names[::-1], front.strategies[::-1], strict=False)) if front.strategies else {}
    drawn |= front.named_strategies
    patched = list(front.patched)
    named: dict[str, Value] = {}
    for index, name in enumerate(names):
        if name in drawn and drawn[name] == DATA:
            named[name] = Term("data", str(sum(1 for one in names if one in drawn and drawn[one] != DATA)))
        elif name in drawn:
            named[name] = Term("drawn", str(index))
        elif name in values:
            named[name] = values[name]
        elif (patched and test.owner is None and name not in values and find_is_missing(run, test, name)) or (
            patched and test.owner is not None
        ):
            named[name] = patched.pop(0)
        else:
            named[name] = value_of(run, test, name)
    calls = [Args([], named)]
    order = [name for name in names if name in drawn]
    for example in front.examples:
        given = dict(zip(order[::-1], example.positional[::-1], strict=False)) | example.named
        calls.append(Args([], named | given))
    return calls


def find_is_missing(run: Run, test: Test, name: str) -> bool:
    return value_of(run, test, name) == Term("fixture", name)


def _call_test(run: Run, test: Test, front: Front, args: Args) -> None:
    function: Value = Function(test.node, test.module, owner=run.instance)
    static = any(isinstance(one, ast.Name) and one.id == "staticmethod" for one in test.node.decorator_list)
    if static and isinstance(function, Function):
        function.owner = None
    place = Place(test.module.path, test.node.lineno, test.module.segment(test.node))
    for wrapper in front.wrappers:
        wrapped = calling.call(run, wrapper, Args([function]), Scope(test.module))
        if isinstance(wrapped, (Function, Instance)):
            function = wrapped
        elif isinstance(wrapped, Term) and (gate := mark_on(wrapped, place)) is not None:
            run.gates.append(gate)
        elif isinstance(wrapped, Term) and terms.is_literal(wrapped):
            return  # the name stands for a plain value now
    if isinstance(function, Instance):
        inner = function
        _under_contexts(run, list(front.contexts), lambda: calling.call(run, inner, args, Scope(test.module)))
    if isinstance(function, Function):
        _under_contexts(run, list(front.contexts), lambda: _invoke_test(run, function, args))


def _invoke_test(run: Run, function: Function, args: Args) -> None:
    if not isinstance(function.node, ast.Lambda) and run.sources.once(
        "generator", function.node, calling.is_generator
    ):
        return  # pytest runs no body that yields
    case = run.instance.klass if run.instance is not None else None
    if (
        case is not None
        and case.is_case
        and isinstance(function.node, ast.AsyncFunctionDef)
        and not case.is_async
    ):
        return  # unittest awaits only in an IsolatedAsyncioTestCase
    result = invoke(run, function, args)
    if isinstance(result, Pending) and result.kind == "coroutine":
        invoke(run, result.function, result.args)


def _under_contexts(run: Run, contexts: list[Pending], body: Callable[[], object]) -> None:
    """
    Run a test inside the context managers that decorate it.
    """
    if not contexts:
        body()
        return
    first, rest = contexts[0], contexts[1:]

    def at_yield(_: Value) -> None:
        held = run.on_yield.pop()
        _under_contexts(run, rest, body)
        run.on_yield.append(held)

    run.on_yield.append(at_yield)
    invoke(run, first.function, first.args)
    run.on_yield.pop()


def at_import(sources: Sources, module: Module) -> Run:
    """
    Read a module's own statements once; each of its tests asks for the names in them.
    """
    return sources.once_asking("imported", module.tree, lambda _: imported(sources, module))


def imported(sources: Sources, module: Module) -> Run:
    """
    Return what a module's own statements do to all its tests: skips, patches.
    """
    run = Run(sources, module, invoke)
    scope = Scope(module)
    execute(run, module.effects, scope, Returned())
    for name in BEFORE:
        for hook in module.defs.get(name, [])[-1:]:
            if isinstance(hook, ast.FunctionDef):
                invoke(run, Function(hook, module), Args())
    for node in module.constants.values():
        if isinstance(node, ast.Call) and ast.unparse(node.func).endswith("importorskip"):
            evaluate(run, node, scope)
    return run
