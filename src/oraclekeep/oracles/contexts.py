"""
`with` statements: expected exceptions, suppressed ones, patches, and the suite's own context managers.
"""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from oraclekeep.oracles import terms
from oraclekeep.oracles.asserts import emit, place_of, record
from oraclekeep.oracles.blocks import block_of
from oraclekeep.oracles.captured import redirect
from oraclekeep.oracles.checks import ABSENT, COVERING, Check, Kind, makes, text_check
from oraclekeep.oracles.displays import bind
from oraclekeep.oracles.evaluate import as_term, evaluate
from oraclekeep.oracles.files import FOLDER
from oraclekeep.oracles.flow import Flow, Returned, execute, handles
from oraclekeep.oracles.leniency import label_of
from oraclekeep.oracles.logged import heard
from oraclekeep.oracles.terms import Term
from oraclekeep.oracles.texts import warned
from oraclekeep.oracles.values import Args, Function, Instance, Pending, Run, Scope, Value

if TYPE_CHECKING:
    from collections.abc import Callable

    from oraclekeep.oracles.checks import Place

_KINDS: Final = {
    "raises": Kind.RAISES, "assertRaises": Kind.RAISES, "assertRaisesRegex": Kind.RAISES,
    "assertRaisesRegexp": Kind.RAISES, "assertRaisesMessage": Kind.RAISES, "RaisesGroup": Kind.RAISES,
    "assert_raises": Kind.RAISES, "assert_raises_regex": Kind.RAISES,
    "warns": Kind.WARNS, "assertWarns": Kind.WARNS, "assertWarnsRegex": Kind.WARNS,
    "assertWarnsMessage": Kind.WARNS, "deprecated_call": Kind.WARNS,
    "assertLogs": Kind.LOGS, "assertNoLogs": Kind.LOGS,
}  # fmt: skip


#: Contexts that count queries, and how they compare the number.
_QUERIES: Final = {
    "assertNumQueries": "Eq", "django_assert_num_queries": "Eq", "django_assert_max_num_queries": "LtE",
}  # fmt: skip


#: The warnings that `pytest.deprecated_call` takes.
_DEPRECATED: Final = Term(
    "tuple",
    "",
    tuple(map(terms.name, ("DeprecationWarning", "PendingDeprecationWarning", "FutureWarning"))),
)


@handles(ast.With, ast.AsyncWith)
def _with(run: Run, node: ast.With | ast.AsyncWith, scope: Scope, returned: Returned) -> Flow:
    def body() -> Flow:
        returned.within += 1
        try:
            return execute(run, node.body, scope, returned)
        finally:
            returned.within -= 1

    return enter(run, list(node.items), scope, body, node)


def enter(
    run: Run,
    items: list[ast.withitem],
    scope: Scope,
    body: Callable[[], Flow],
    node: ast.With | ast.AsyncWith,
) -> Flow:
    """
    Read a `with` statement, its items from left to right, then its body; return how the body ends.
    """
    if not items:
        return body()
    item, rest = items[0], items[1:]

    def inside() -> Flow:
        return enter(run, rest, scope, body, node)

    value = evaluate(run, item.context_expr, scope)
    if isinstance(value, Pending) and value.kind == "context":
        return _own(run, value, item, scope, inside)
    if isinstance(value, Instance):
        return _object(run, value, item, scope, inside)
    term = as_term(value)
    name = terms.called(term) or terms.method(term)
    kind = _KINDS.get(name.rpartition(".")[2])
    if kind is not None:
        return _expected(run, term, kind, item, scope, inside, node)
    if name.rpartition(".")[2] == "suppress":
        before, end = dict(scope.names), Flow.NEXT
        if any(arg.value in COVERING for arg in term.args[1:]):
            end = _swallowing(run, "`suppress` hides the failure", inside)
        else:
            end = _tolerating(run, inside)
        may_keep(scope, before, term)
        return end
    if name.rpartition(".")[2] not in {"subTest", "nullcontext"} and term.op == "call":
        run.effects.append((term, place_of(node, scope)))
        run.epoch += 1
    if (limit := _QUERIES.get(label_of(term).rpartition(".")[2])) is not None:
        return _counted(run, term, limit, item, scope, inside)
    if name == "warnings.catch_warnings" and terms.keyword(term, "record") == terms.TRUE:
        return _recorded(run, item, scope, inside)
    if (buffer := redirect(term, scope)) is not None:
        if item.optional_vars is not None:
            bind(run, item.optional_vars, buffer, scope)
        return inside()
    if item.optional_vars is not None:
        bind(run, item.optional_vars, _entered(term, name), scope)
    done = len(run.trace)
    flow = _swallowing(run, "", inside)  # what an exit stack takes up inside ends here
    if term.op != "patch":
        run.did(term, since=done)
    return flow


def _counted(
    run: Run, term: Term, limit: str, item: ast.withitem, scope: Scope, inside: Callable[[], Flow]
) -> Flow:
    """
    Read a context that counts the queries of its block.
    """
    outer, run.trace = run.trace, []
    end = inside()
    block = block_of(run.trace)
    run.trace = [*outer, block]
    number = terms.argument(term, 0, "num") or terms.argument(term, 0, "exact") or ABSENT
    place = replace(place_of(item.context_expr, scope), text=scope.module.segment(item.context_expr))
    emit(run, Term("cmp", limit, (terms.call(terms.attr(block, "queries")), number)), place)
    return end


def _recorded(run: Run, item: ast.withitem, scope: Scope, inside: Callable[[], Flow]) -> Flow:
    """
    Read `catch_warnings(record=True)`: what it hands out is what `pytest.warns` would.
    """
    held = Term("recorded", str(run.epoch))
    outer, run.trace, before = run.trace, [], len(run.checks)
    if item.optional_vars is not None:
        bind(run, item.optional_vars, held, scope)
    end = inside()
    done = [one for one in run.trace if not terms.called(one).startswith("warnings.")]
    seen = Term("excinfo", "", (block_of(done) if done else Term("block"),))
    run.trace = [*outer, *run.trace]
    for index, one in enumerate(run.checks[before:], before):
        if any(terms.contains(side, held) for side in (one.subject, one.expected)):
            run.checks[index] = warned(
                replace(
                    one,
                    subject=terms.replace(one.subject, held, seen),
                    expected=terms.replace(one.expected, held, seen),
                )
            )
    if item.optional_vars is not None:
        bind(run, item.optional_vars, seen, scope)
    return end


def _entered(term: Term, name: str) -> Term:
    if term.op == "patch":
        return term.args[1]
    if name.rpartition(".")[2] == "nullcontext":
        return term.args[1] if len(term.args) > 1 else terms.NONE
    if makes(term) or term == FOLDER:
        return term  # an object that cleans up after itself hands out itself
    return Term("entered", "", (term,))


def _own(run: Run, pending: Pending, item: ast.withitem, scope: Scope, inside: Callable[[], Flow]) -> Flow:
    ends: list[Flow] = []

    def at_yield(value: Value) -> None:
        if item.optional_vars is not None:
            bind(run, item.optional_vars, value, scope)
        held = run.on_yield.pop()
        ends.append(inside())
        run.on_yield.append(held)

    run.on_yield.append(at_yield)
    run.invoke(run, pending.function, pending.args)
    run.on_yield.pop()
    return ends[-1] if ends else Flow.NEXT


def _object(run: Run, made: Instance, item: ast.withitem, scope: Scope, inside: Callable[[], Flow]) -> Flow:
    """
    A context manager class of the suite: enter, body, exit; an exit that returns true hides failures.
    """
    entry, leave = made.klass.member("__enter__"), made.klass.member("__exit__")
    entered = (
        run.invoke(run, Function(entry[0], entry[1].module, owner=made), Args())
        if entry is not None and isinstance(entry[0], ast.FunctionDef)
        else made
    )
    if item.optional_vars is not None:
        bind(run, item.optional_vars, entered, scope)
    before = len(run.checks)
    end = inside()
    if leave is not None and isinstance(leave[0], ast.FunctionDef):
        body_checks = len(run.checks)
        hides = run.invoke(
            run, Function(leave[0], leave[1].module, owner=made), Args([Term("param", "exc")] * 3)
        )
        if hides == terms.TRUE:
            run.checks[before:body_checks] = [
                replace(one, why_never="`__exit__` hides the failure")
                for one in run.checks[before:body_checks]
            ]
    return end


def may_keep(scope: Scope, before: dict[str, Value], unless: Term) -> None:
    """
    What a block assigns may still be what it was where an error ends the block unseen.
    """
    for name, held in before.items():
        value = scope.names.get(name)
        if isinstance(held, Term) and isinstance(value, Term) and value != held:
            scope.names[name] = Term("ifexp", "", (unless, value, held))


def _swallowing(run: Run, why: str, inside: Callable[[], Flow]) -> Flow:
    held, run.swallowed = run.swallowed, run.swallowed or why
    try:
        return inside()
    finally:
        run.swallowed = held


def _tolerating(run: Run, inside: Callable[[], Flow]) -> Flow:
    run.tolerated += 1
    try:
        return inside()
    finally:
        run.tolerated -= 1


def _hide(run: Run, since: int, why: str, is_hidden: Callable[[Check], bool]) -> None:
    run.checks[since:] = [
        replace(one, why_never=one.why_never or why) if is_hidden(one) else one for one in run.checks[since:]
    ]


def _always_holds(node: ast.expr) -> bool:
    """
    Return whether `check=` is given a function that says yes to every error.
    """
    given = [one.value for one in node.keywords if one.arg == "check"] if isinstance(node, ast.Call) else []
    return any(
        isinstance(one, ast.Lambda) and isinstance(one.body, ast.Constant) and bool(one.body.value)
        for one in given
    )


def _raises_it(item: ast.withitem, node: ast.With | ast.AsyncWith) -> bool:
    """
    Return whether the block ends in an error of the test's own, with no context in between to see it.
    """
    match node.body:
        case [_, *_, ast.Raise(exc=ast.expr())]:
            return node.items[-1] is item
        case _:
            return False


def _expected(
    run: Run,
    term: Term,
    kind: Kind,
    item: ast.withitem,
    scope: Scope,
    inside: Callable[[], Flow],
    node: ast.With | ast.AsyncWith,
) -> Flow:
    outer, run.trace = run.trace, []
    before, epoch, done = len(run.checks), run.epoch, len(run.effects)
    end = inside()
    if kind is Kind.RAISES:  # what ends in an error has changed nothing, as far as a test can tell
        run.effects[done:] = [(Term("failing", "", (one,)), where) for one, where in run.effects[done:]]
    if kind is Kind.RAISES and any(arg.value in COVERING for arg in term.args[1:]):
        _hide(run, before, "a failure is what the block expects", lambda _: True)
    elif kind is Kind.RAISES and run.epoch > epoch:
        last = run.epoch
        _hide(
            run,
            before,
            "the block has ended by then, in the error that it expects",
            lambda one: one.moment == last,
        )
    block = block_of(run.trace)
    run.trace = [*outer, block]
    place = replace(place_of(node, scope), text=scope.module.segment(item.context_expr))
    places, name = terms.positional(term), terms.called(term) or terms.method(term)
    expected = places[0] if places else terms.keyword(term, "expected_exception") or ABSENT
    if name.endswith("deprecated_call"):
        expected = _DEPRECATED
    run.epoch += 1
    own = "the test itself raises what it expects" if kind is Kind.RAISES and _raises_it(item, node) else ""
    check = Check(kind, block, expected, guards=run.guards, place=place, why_never=own)
    record(run, heard(check, term) if kind is Kind.LOGS else check)
    takes_message = name.endswith("Message") and len(places) > 1
    takes_text = "regex" in name.lower() and len(places) > 1
    pattern = (
        terms.keyword(term, "match")
        or terms.keyword(term, "expected_regex")
        or (places[1] if takes_text else None)
        or (terms.call(terms.name("re.escape"), (places[1],)) if takes_message else None)
    )
    if pattern is not None and pattern != terms.NONE:
        record(run, text_check(Term("raised", "", (block,)), pattern, place, run.guards))
    _asked_of_error(run, item, Term("raised", "", (block,)), scope, place)
    if item.optional_vars is not None:
        bind(run, item.optional_vars, Term("excinfo", "", (block,)), scope)
    return end


def _asked_of_error(run: Run, item: ast.withitem, error: Term, scope: Scope, place: Place) -> None:
    """
    Record what `raises(…, check=…)` asks of the error; a lambda is read like an assertion of its body.
    """
    keys = item.context_expr.keywords if isinstance(item.context_expr, ast.Call) else []
    given = next((one.value for one in keys if one.arg == "check"), None)
    if given is None or _always_holds(item.context_expr):
        return
    check = evaluate(run, given, scope)
    if isinstance(check, Function):
        emit(run, as_term(run.invoke(run, check, Args([error]))), place)
    else:
        asked = Check(Kind.PREDICATE, error, as_term(check), "check", guards=run.guards, place=place)
        record(run, asked)
