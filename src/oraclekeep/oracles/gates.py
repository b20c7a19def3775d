"""
What stands in front of a test: marks, decorators, parameters, strategies.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeGuard

from oraclekeep.oracles import terms
from oraclekeep.oracles.asserts import place_of
from oraclekeep.oracles.checks import Gate
from oraclekeep.oracles.displays import elements
from oraclekeep.oracles.evaluate import as_term, evaluate
from oraclekeep.oracles.leniency import note
from oraclekeep.oracles.marks import gate_of, is_false
from oraclekeep.oracles.scene import surrounds
from oraclekeep.oracles.terms import Term
from oraclekeep.oracles.values import Args, Function, Instance, Pending, Run, Scope, Value

if TYPE_CHECKING:
    from collections.abc import Iterator

    from oraclekeep.oracles.checks import Place
    from oraclekeep.oracles.collect import Test


@dataclass(frozen=True)
class Axis:
    """
    One `parametrize`: names and the cases written out, or the iterable where they are not.
    """

    names: tuple[str, ...]
    cases: tuple[tuple[Term, ...], ...] = ()
    iterable: Term | None = None
    indirect: frozenset[str] = frozenset()  # names that fixtures are given, not the test


@dataclass
class Front:
    """
    Everything that the decorators of one test say.
    """

    gates: list[Gate] = field(default_factory=list)
    marks: set[str] = field(default_factory=set)
    case_marks: set[str] = field(default_factory=set)
    axes: list[Axis] = field(default_factory=list)
    fixtures: list[str] = field(default_factory=list)
    strategies: list[Term] = field(default_factory=list)
    named_strategies: dict[str, Term] = field(default_factory=dict)
    examples: list[Args] = field(default_factory=list)
    max_examples: int | None = None
    time_limit: float | None = None
    generates: bool | None = None
    awaited: bool = False  # a mark has an event loop run it
    patched: list[Term] = field(
        default_factory=list
    )  # values that patch decorators pass in, in order of parameters
    scene: list[tuple[Term, Place]] = field(default_factory=list)  # what the product runs under
    wrappers: list[Function | Instance | Term] = field(
        default_factory=list
    )  # the suite's own decorators, innermost first
    contexts: list[Pending] = field(
        default_factory=list
    )  # the suite's own context managers, used as decorators


def front_of(run: Run, test: Test) -> Front:
    """
    Read the marks of a test from its own decorators, its classes and its module.
    """
    front = Front()
    scope = Scope(test.module)
    for node in reversed(test.node.decorator_list):
        _decorator(run, front, evaluate(run, node, scope), place_of(node, scope))
    classes = (test.owner, *test.owner.mro) if test.owner is not None else ()
    for klass in classes:
        inner = Scope(klass.module)
        for node in reversed(klass.node.decorator_list):
            _decorator(run, front, evaluate(run, node, inner), place_of(node, inner))
        _pytestmark(run, front, klass.node.body, inner)
    if "pytestmark" in test.home.constants:
        home = Scope(test.home)
        node = test.home.constants["pytestmark"]
        _marks(run, front, evaluate(run, node, home), place_of(node, home))
    for stmt in test.home.effects:
        _statement(run, front, stmt, test)
    return front


def _statement(run: Run, front: Front, node: ast.stmt, test: Test) -> None:
    """
    Read a module's statement that marks its tests: `pytestmark.append(…)`, `test_x.pytestmark = […]`.
    """
    scope, place, name = Scope(test.home), place_of(node, Scope(test.home)), test.nodeid.split("::")[1]
    match node:
        case (
            ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id="pytestmark")), args=[*_, value]))
            | ast.AugAssign(target=ast.Name(id="pytestmark"), value=value)
        ):
            _marks(run, front, evaluate(run, value, scope), place)
        case ast.Expr(value=ast.Call(func=mark, args=[ast.Name(id=other)])) if other == name:
            _marks(run, front, evaluate(run, mark, scope), place)
        case (
            ast.Assign(targets=[ast.Attribute(value=ast.Name(id=other), attr=attr)], value=value)
            | ast.Expr(
                value=ast.Call(
                    func=ast.Name(id="setattr"), args=[ast.Name(id=other), ast.Constant(value=attr), value]
                )
            )
        ) if other == name:
            if attr == "pytestmark":
                _marks(run, front, evaluate(run, value, scope), place)
            elif attr == "__unittest_skip__":
                front.gates.append(Gate("skip", terms.TRUE, place))
        case ast.Assign(
            targets=[ast.Attribute(value=ast.Attribute(value=ast.Name(id=other), attr=method), attr=attr)]
        ) if (other, method) == (name, test.nodeid.rpartition("::")[2]):
            kind = {"__unittest_skip__": "skip", "__unittest_expecting_failure__": "xfail"}.get(attr)
            if kind is not None:
                front.gates.append(Gate(kind, terms.TRUE, place))
        case _:
            return


def _pytestmark(run: Run, front: Front, body: list[ast.stmt], scope: Scope) -> None:
    for node in body:
        match node:
            case ast.Assign(targets=[ast.Name(id="pytestmark")], value=value):
                _marks(run, front, evaluate(run, value, scope), place_of(node, scope))
            case _:
                continue


def _marks(run: Run, front: Front, value: Value, place: Place) -> None:
    term = as_term(value)
    for one in term.args if term.op in {"list", "tuple", "acc"} else (term,):
        _decorator(run, front, one, place)


def _is_own_class(value: Value) -> TypeGuard[Term]:
    return isinstance(value, Term) and value.op == "name" and value.value.startswith("suite:")


def _decorator(run: Run, front: Front, value: Value, place: Place) -> None:
    if isinstance(value, (Function, Instance)) or _is_own_class(value):
        front.wrappers.append(value)
        return
    if isinstance(value, Pending):
        front.contexts.append(value)
        return
    term = as_term(value)
    name = terms.called(term) or (term.value if term.op == "name" else "")
    short = name.rpartition(".")[2] or terms.method(term)
    if ".mark." in name:
        front.marks.add(short)
    if term.op == "name":
        note(run, term, place)  # a call has been noted where it was read
    gate = gate_of(term, place)
    if gate is not None:
        front.gates.append(gate)
    elif short in {"asyncio", "anyio", "trio", "tornado"}:
        front.awaited = True
    elif short == "parametrize":
        front.axes.append(axis_of(front, term, place))
    elif short == "usefixtures":
        front.fixtures += [str(terms.literal(arg)) for arg in term.args[1:] if arg.op == "const"]
    elif short in {"given", "rule", "initialize"} and term.op == "call":
        front.strategies += terms.positional(term)
        front.named_strategies |= {
            arg.value: arg.args[0] for arg in term.args[1:] if arg.op == "kw" and arg.value != "target"
        }
    elif short == "example" and term.op == "call":
        front.examples.append(
            Args(
                list(terms.positional(term)),
                {arg.value: arg.args[0] for arg in term.args[1:] if arg.op == "kw"},
            )
        )
    elif short == "settings":
        _settings(front, term)
    elif short == "timeout" and ".mark." in name:
        _time_limit(front, term)
    elif term.op == "patch" and term.args[1].op in {"mock", "buffer"}:
        front.patched.append(term.args[1])
    elif surrounds(term) or short in {"precondition", "filterwarnings"}:
        front.scene.append((term, place))


def _settings(front: Front, term: Term) -> None:
    """
    Read hypothesis' settings: how much is drawn, and whether anything is.
    """
    number, phases = terms.keyword(term, "max_examples"), terms.keyword(term, "phases")
    if number is not None and terms.is_literal(number):
        front.max_examples = int(terms.literal(number))
    if phases is not None and phases.op in {"list", "tuple", "set"}:
        front.generates = any(one.value.rpartition(".")[2] == "generate" for one in phases.args)


def _time_limit(front: Front, term: Term) -> None:
    """
    Read `pytest.mark.timeout`; of several marks the nearest speaks, and it is read first.
    """
    seconds = terms.argument(term, 0, "timeout") if term.op == "call" else None
    value = terms.literal(seconds) if seconds is not None and terms.is_literal(seconds) else None
    if front.time_limit is None and isinstance(value, int | float):
        front.time_limit = float(value) or float("inf")  # 0 switches the limit off


def axis_of(front: Front, term: Term, place: Place) -> Axis:
    """
    Read one call of `parametrize`.
    """
    labels, values = terms.argument(term, 0, "argnames"), terms.argument(term, 1, "argvalues")
    if labels is None or values is None:
        return Axis(())
    values = _unordered(values)
    shown = terms.literal(labels) if terms.is_literal(labels) else ""
    names = (
        tuple(part.strip() for part in shown.split(",") if part.strip())
        if isinstance(shown, str)
        else tuple(str(one) for one in shown)
    )
    indirect = terms.argument(term, 2, "indirect")
    items = elements(values)
    if items is None and values.op in {"list", "tuple"}:
        items = values.args  # longer than a loop would be written out for; still every case counts
    given = _indirect(indirect, names)
    if items is None:
        return Axis(names, iterable=values, indirect=given)
    return Axis(names, tuple(dict.fromkeys(_case(front, one, names, place) for one in items)), indirect=given)


def _indirect(term: Term | None, names: tuple[str, ...]) -> frozenset[str]:
    if term is None or is_false(term):
        return frozenset()
    value = terms.literal(term) if terms.is_literal(term) else True
    return frozenset(map(str, value)) if isinstance(value, list | tuple) else frozenset(names)


def _unordered(values: Term) -> Term:
    """
    The order in which cases run is no part of what they ask.
    """
    while terms.called(values) in {"sorted", "reversed", "list", "tuple"} and len(values.args) > 1:
        values = values.args[1]
    return values


def _case(front: Front, one: Term, names: tuple[str, ...], place: Place) -> tuple[Term, ...]:
    values: tuple[Term, ...] = (one,)
    if one.op == "star":
        one = Term("each", "", one.args)
        values = (one,)
    if one.op == "case":
        values = tuple(arg for arg in one.args if arg.op != "kw")
        front.gates += gates_of_case(one, place)
        marks = next((arg.args[0] for arg in one.args if arg.op == "kw"), None)
        named = (terms.called(mark) or mark.value for mark in _each_mark(marks))
        front.case_marks |= {name.rpartition(".")[2] for name in named}
    elif len(names) > 1:
        known = elements(one)
        values = (
            known
            if known is not None and len(known) == len(names)
            else tuple(Term("index", "", (one, terms.const(index))) for index in range(len(names)))
        )
    return values


def gates_of_case(case: Term, place: Place) -> Iterator[Gate]:
    """
    Yield what the marks of a `pytest.param` keep from running.
    """
    marks = next((arg.args[0] for arg in case.args if arg.op == "kw"), None)
    label = Term("tuple", "", tuple(arg for arg in case.args if arg.op != "kw"))
    for mark in _each_mark(marks):
        gate = gate_of(mark, place)
        if gate is not None:
            yield Gate(f"{gate.kind} of a case", Term("bool", "And", (label, gate.condition)), place)


def _each_mark(marks: Term | None) -> Iterator[Term]:
    if marks is not None:
        yield from marks.args if marks.op in {"list", "tuple"} else (marks,)
