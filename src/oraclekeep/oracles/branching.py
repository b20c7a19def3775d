"""
Branches and loops: what stands under a condition, and what may run any number of times.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from oraclekeep.oracles import patterns, terms
from oraclekeep.oracles.conditions import decided, is_on, of_the_machine
from oraclekeep.oracles.displays import bind, elements
from oraclekeep.oracles.evaluate import as_term, evaluate, term_of
from oraclekeep.oracles.flow import LEAVING, Flow, Returned, execute, handles
from oraclekeep.oracles.parsing import below
from oraclekeep.oracles.spelling import fold
from oraclekeep.oracles.terms import Term
from oraclekeep.oracles.values import MAX_WRITTEN_OUT, Pending

if TYPE_CHECKING:
    from collections.abc import Callable

    from oraclekeep.oracles.values import Run, Scope, Value


@handles(ast.If)
def _if(run: Run, node: ast.If, scope: Scope, returned: Returned) -> Flow:
    condition = of_the_machine(run, term_of(run, node.test, scope))
    if is_on(condition):
        return execute(run, node.body, scope, returned)
    answer = decided(run, condition)
    if answer is not None or condition == terms.name("typing.TYPE_CHECKING"):
        return execute(run, node.body if answer else node.orelse, scope, returned)
    done = len(run.trace)
    flow = _either(
        run,
        condition,
        scope,
        lambda: execute(run, node.body, scope, returned),
        lambda: execute(run, node.orelse, scope, returned),
    )
    run.did(condition, since=done)
    return flow


def _either(
    run: Run, condition: Term, scope: Scope, first: Callable[[], Flow], second: Callable[[], Flow]
) -> Flow:
    """
    Read two branches, each under its condition, and put together what they leave.
    """
    opposite = fold(Term("unary", "Not", (condition,)))
    saved, names = run.guards, dict(scope.names)
    run.guards = (*saved, condition)
    then = first()
    then_guards, then_names = run.guards[len(saved) + 1 :], scope.names
    run.guards, scope.names = (*saved, opposite), dict(names)
    other = second()
    other_guards = run.guards[len(saved) + 1 :]
    scope.names = _merge(condition, then_names, scope.names, then, other)
    run.guards = _after(saved, (condition, then, then_guards), (opposite, other, other_guards))
    if then is not Flow.NEXT and other is not Flow.NEXT:
        return next((flow for flow in (then, other) if flow in LEAVING), then)
    return Flow.NEXT


def _merge(
    condition: Term, then: dict[str, Value], other: dict[str, Value], flow: Flow, other_flow: Flow
) -> dict[str, Value]:
    if flow is not Flow.NEXT:
        return other
    if other_flow is not Flow.NEXT:
        return then
    merged = dict(then)
    for name, value in other.items():
        mine = then.get(name)
        if mine is not value and isinstance(mine, Term) and isinstance(value, Term) and mine != value:
            merged[name] = Term("ifexp", "", (condition, mine, value))
        elif mine is None:
            merged[name] = value
    return merged


def _after(saved: tuple[Term, ...], *branches: tuple[Term, Flow, tuple[Term, ...]]) -> tuple[Term, ...]:
    """
    What is reached after a branch that may have left stands under the opposite of its condition.
    """
    added: list[Term] = []
    for condition, flow, extra in branches:
        if flow in LEAVING:
            added.append(
                fold(Term("unary", "Not", (condition,))) if condition.value != "Not" else condition.args[0]
            )
        elif extra and flow is Flow.NEXT:
            inner = extra[0] if len(extra) == 1 else Term("bool", "And", extra)
            added.append(Term("bool", "Or", (Term("unary", "Not", (condition,)), inner)))
    return (*saved, *added)


@handles(ast.For, ast.AsyncFor)
def _for(run: Run, node: ast.For | ast.AsyncFor, scope: Scope, returned: Returned) -> Flow:
    source = evaluate(run, node.iter, scope)
    if isinstance(node.iter, ast.Name):
        run.checks += scope.keep(node.iter.id)
    if isinstance(source, Pending) and source.kind == "generator":
        return _over_generator(run, node, source, scope, returned)
    iterable = as_term(source)
    items = elements(iterable)
    saved, done = run.guards, len(run.trace)
    run.written_out += len(items or ())
    if items is None or run.written_out > MAX_WRITTEN_OUT:
        run.cut += items is not None
        run.guards = (*saved, Term("foreach", "", (iterable,)))
        # How far a range goes is the loop's business, not its variable's.
        items = (Term("each", "", (terms.name("range") if terms.called(iterable) == "range" else iterable,)),)
        _grow(node, scope)
    flow = Flow.NEXT
    for one in dict.fromkeys(items):
        inner = run.guards
        bind(run, node.target, one, scope)
        flow = execute(run, node.body, scope, returned)
        run.guards = inner
        if flow not in (Flow.NEXT, Flow.LEAVES):
            break
    run.guards = saved
    run.did(iterable, since=done)
    if node.orelse and flow is not Flow.BREAKS:
        execute(run, node.orelse, scope, returned)
    return Flow.NEXT


def _grow(node: ast.For | ast.AsyncFor | ast.While, scope: Scope) -> None:
    """
    What a loop adds to in each turn is no constant after it: nobody knows how many turns there are.
    """
    for one in below(node):
        if isinstance(one, ast.AugAssign) and isinstance(one.target, ast.Name):
            held = scope.holder(one.target.id)
            value = held.names[one.target.id] if held is not None else None
            if held is not None and isinstance(value, Term) and terms.is_literal(value):
                held.names[one.target.id] = Term("acc", "", (value,))


def _over_generator(
    run: Run, node: ast.For | ast.AsyncFor, source: Pending, scope: Scope, returned: Returned
) -> Flow:
    def body(value: Value) -> None:
        held = run.on_yield.pop()  # a yield in the loop's body is the function's own
        bind(run, node.target, value, scope)
        execute(run, node.body, scope, returned)
        run.on_yield.append(held)

    run.on_yield.append(body)
    run.invoke(run, source.function, source.args)
    run.on_yield.pop()
    return Flow.NEXT


@handles(ast.While)
def _while(run: Run, node: ast.While, scope: Scope, returned: Returned) -> Flow:
    condition = term_of(run, node.test, scope)
    if terms.is_literal(condition) and not terms.literal(condition):
        return execute(run, node.orelse, scope, returned)
    saved, done = run.guards, len(run.trace)
    if not terms.is_literal(condition):
        run.guards = (*saved, condition)
    _grow(node, scope)
    flow = execute(run, node.body, scope, returned)
    run.guards = saved
    run.did(condition, since=done)
    return flow if flow is Flow.FAILS and terms.is_literal(condition) else Flow.NEXT


@handles(ast.Match)
def _match(run: Run, node: ast.Match, scope: Scope, returned: Returned) -> Flow:
    subject = term_of(run, node.subject, scope)
    if (conditions := patterns.conditions(run, node, subject, scope)) is not None:
        return _chosen(run, node.cases, conditions, scope, returned)
    saved = run.guards
    earlier: list[Term] = []
    for case in node.cases:
        wild = isinstance(case.pattern, ast.MatchAs) and case.pattern.pattern is None and case.guard is None
        shown = ast.unparse(case.pattern) + (f" if {ast.unparse(case.guard)}" if case.guard else "")
        label = Term("case", "", (subject, *(earlier if wild else (terms.const(shown),))))
        earlier.append(terms.const(shown))
        run.guards = (*saved, label)
        for one in ast.walk(case.pattern):
            if isinstance(one, (ast.MatchAs, ast.MatchStar)) and one.name:
                scope.set(one.name, Term("captured", one.name, (subject,)), run.epoch)
        execute(run, case.body, scope, returned)
    run.guards = saved
    return Flow.NEXT


def _chosen(
    run: Run, cases: list[ast.match_case], conditions: list[Term], scope: Scope, returned: Returned
) -> Flow:
    """
    Read cases whose patterns are plain conditions as the branches that they are.
    """
    if not cases:
        return Flow.NEXT
    condition = conditions[0]
    if terms.is_literal(condition) and terms.literal(condition):
        return execute(run, cases[0].body, scope, returned)
    return _either(
        run,
        condition,
        scope,
        lambda: execute(run, cases[0].body, scope, returned),
        lambda: _chosen(run, cases[1:], conditions[1:], scope, returned),
    )
