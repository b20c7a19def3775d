"""
Plain statements: assertions, assignments, calls, returns and raises.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from oraclekeep.oracles import mocks, terms
from oraclekeep.oracles.asserting import ASSERTED, fail, one_moment
from oraclekeep.oracles.asserts import emit, place_of
from oraclekeep.oracles.binding import named_in_globals
from oraclekeep.oracles.calling import hand_over
from oraclekeep.oracles.checks import Gate
from oraclekeep.oracles.displays import bind
from oraclekeep.oracles.evaluate import as_term, evaluate, term_of
from oraclekeep.oracles.flow import Flow, Returned, handles
from oraclekeep.oracles.following import decorated
from oraclekeep.oracles.module import Module
from oraclekeep.oracles.naming import is_context, resolve
from oraclekeep.oracles.parsing import below, last_name
from oraclekeep.oracles.showing import show
from oraclekeep.oracles.spelling import fold
from oraclekeep.oracles.terms import Term
from oraclekeep.oracles.values import UNKNOWN, Function, Instance

if TYPE_CHECKING:
    from collections.abc import Iterator

    from oraclekeep.oracles.checks import Check
    from oraclekeep.oracles.values import Run, Scope, Value


#: Functions that compute nothing until somebody asks for the next value.
_LAZY: Final = frozenset({"map", "filter", "starmap", "enumerate", "zip"})


_WRITING: Final = frozenset({"write", "write_text", "write_bytes", "writelines"})


@handles(ast.Expr)
def _expression(run: Run, node: ast.Expr, scope: Scope, _returned: Returned) -> Flow:
    if isinstance(node.value, ast.Constant):
        return Flow.NEXT
    if _is_lazy(run, node.value, scope):
        return Flow.NEXT
    gates, asked, done = len(run.gates), len(run.checks), len(run.trace)
    value = evaluate(run, node.value, scope)
    if isinstance(node.value, (ast.Yield, ast.YieldFrom)):
        return Flow.NEXT
    _note(run, as_term(value), run.checks[asked:], since=done)
    if isinstance(value, Term) and value == ASSERTED:
        label = node.value.func if isinstance(node.value, ast.Call) else None
        last = last_name(label)
        if last in {"skip", "skipTest", "xfail"} and len(run.gates) > gates:
            return Flow.SKIPS
        return Flow.FAILS if last == "fail" else Flow.NEXT
    run.epoch += 1
    if isinstance(value, Term) and value.op == "call":
        effect = Term("tolerated", "", (value,)) if run.tolerated else value
        run.effects.append((effect, place_of(node, scope)))
        if terms.method(value) in _WRITING and _is_sure(run.condition(), value):
            run.written.append(value)
        if terms.called(value) in {"sys.exit", "os._exit", "pytest.exit", "exit", "quit"}:
            run.gates.append(Gate("exit", run.condition(), place_of(node, scope)))
            return Flow.SKIPS
    return Flow.NEXT


def _note(run: Run, term: Term, asked: list[Check], *, since: int) -> None:
    """
    Note what an expression evaluates; of an assertion, in whatever words, what it asks.
    """
    if term == ASSERTED and asked:
        term = Term("asserting", "", tuple(one.subject for one in asked))
    if term.op not in {"asserting", "asserted", "excinfo"} or len(run.trace) == since:
        run.note(term, since=since)


def _is_sure(condition: Term, writing: Term) -> bool:
    """
    Return whether something is written whenever it differs, at least: no setting decides that.
    """
    asked = (one for one in terms.walk(condition) if one.op == "cmp")
    return condition == terms.TRUE or any(part in one.args for one in asked for part in writing.args[1:])


def _is_lazy(run: Run, node: ast.expr, scope: Scope) -> bool:
    """
    Return whether an expression only promises values: as a statement of its own it computes none.
    """
    if isinstance(node, ast.GeneratorExp):
        return True
    if not isinstance(node, ast.Call) or last_name(node.func) not in _LAZY:
        return False
    called = term_of(run, node.func, scope)
    if called.op == "attr":  # a pool of futures; a pool of processes waits for its results
        return terms.called(called.args[0]).endswith("Executor")
    return called.op == "name" and called.value in {*_LAZY, "itertools.starmap"}


@handles(ast.Assert)
def _assert(run: Run, node: ast.Assert, scope: Scope, _returned: Returned) -> Flow:
    place = place_of(node, scope)
    term = _tested(run, node.test, scope)
    run.trace.append(Term("asserting", "", (term,)))
    if term == terms.FALSE or (terms.is_literal(term) and not terms.literal(term)):
        fail(run, place)
        # Where more than a constant fails, the reading is wrong, not the test: it goes on.
        return Flow.FAILS if isinstance(node.test, ast.Constant) else Flow.NEXT
    if term != ASSERTED:
        run.taken = _taken(node.test, scope)
        sides = (node.test.left, *node.test.comparators) if isinstance(node.test, ast.Compare) else ()
        emit(run, term, place, trusted=one_moment(run, sides, scope))
        run.taken = None
    return Flow.NEXT


def _taken(node: ast.expr, scope: Scope) -> int | None:
    """
    Return when the locals that a condition looks at got their values; a call in it takes its value anew.
    """
    parts = below(node)
    if any(isinstance(one, ast.Call) and getattr(one.func, "id", "") not in terms.PURE for one in parts):
        return None
    stamps = (scope.stamp(one.id) for one in parts if isinstance(one, ast.Name))
    return max((stamp for stamp in stamps if stamp is not None), default=None)


def _tested(run: Run, node: ast.expr, scope: Scope) -> Term:
    """
    Evaluate a condition; where only constants are left, look again for a local that calls may have changed.
    """
    term = term_of(run, node, scope)
    if terms.is_literal(term) and not run.boxing and any(isinstance(one, ast.Name) for one in below(node)):
        run.boxing = True
        term = term_of(run, node, scope)
        run.boxing = False
    return term


@handles(ast.Assign, ast.AnnAssign)
def _assign(run: Run, node: ast.Assign | ast.AnnAssign, scope: Scope, _returned: Returned) -> Flow:
    if node.value is None:
        return Flow.NEXT
    asked, done = len(run.checks), len(run.trace)
    value = evaluate(run, node.value, scope)
    _note(run, as_term(value), [], since=done)
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    if len(run.checks) > asked and isinstance(targets[0], ast.Name) and _is_lazy(run, node.value, scope):
        scope.promised[targets[0].id] = run.checks[asked:]
        del run.checks[asked:]
    copied = scope.stamp(node.value.id) if isinstance(node.value, ast.Name) else None
    if copied is None and any(isinstance(one, ast.Call) for one in below(node.value)):
        run.epoch += 1
    for target in targets:
        bind(run, target, value, scope)
        if copied is not None and isinstance(target, ast.Name):
            scope.stamps[target.id] = copied
        for place, part in _told(target, value):
            _set(run, node, place, part, scope, since=done)
    return Flow.NEXT


def _told(target: ast.expr, value: Value) -> Iterator[tuple[ast.Attribute | ast.Subscript, Value]]:
    """
    Yield what is no plain name of what is assigned to, with the part of the value that it gets.
    """
    if isinstance(target, (ast.Attribute, ast.Subscript)):
        yield target, value
    elif isinstance(target, (ast.Tuple, ast.List)):
        whole = as_term(value)
        known = whole.op in {"list", "tuple"} and len(whole.args) == len(target.elts)
        for index, one in enumerate(target.elts):
            part = whole.args[index] if known else Term("index", "", (whole, terms.const(index)))
            yield from _told(one, part)


def _set(
    run: Run,
    node: ast.Assign | ast.AnnAssign,
    target: ast.Attribute | ast.Subscript,
    value: Value,
    scope: Scope,
    *,
    since: int,
) -> None:
    for name in named_in_globals(target):
        scope.set(name, value, run.epoch)
    base = evaluate(run, target.value, scope)
    if isinstance(base, Instance):
        if getattr(target.value, "id", "") not in {"self", "cls"}:
            _fed(run, node, as_term(value), scope)
        return
    label = _member(run, target, scope)
    owner = as_term(base)
    if isinstance(value, Function):
        hand_over(run, value)  # a fake that may check what it is called with
    told = Term("set", label, (owner, as_term(value)))
    if run.trace[since:] and terms.contains(told, run.trace[-1]):
        run.trace.pop()  # its value is said with it
    run.trace.append(told)
    run.effects.append((told, place_of(node, scope)))
    if owner == mocks.MODULES and isinstance(target, ast.Subscript):
        mocks.plant(run, term_of(run, target.slice, scope), place_of(node, scope))
    if owner.op == "name" and owner.value.startswith(mocks.REPLACEABLE):
        run.patches[Term("attr", label, (owner,))] = place_of(node, scope)


def _member(run: Run, target: ast.Attribute | ast.Subscript, scope: Scope) -> str:
    return target.attr if isinstance(target, ast.Attribute) else show(term_of(run, target.slice, scope))


@handles(ast.AugAssign)
def _augmented(run: Run, node: ast.AugAssign, scope: Scope, _returned: Returned) -> Flow:
    if isinstance(node.target, ast.Name):
        old = scope.get(node.target.id)
        value = term_of(run, node.value, scope)
        grown = Term("bin", type(node.op).__name__, (as_term(old) if old is not None else UNKNOWN, value))
        scope.set(node.target.id, fold(grown), run.epoch)
    else:
        held, more = term_of(run, node.target, scope), term_of(run, node.value, scope)
        run.trace.append(Term("grow", "", (held, more)))
        _fed(run, node, Term("bin", type(node.op).__name__, (Term("held"), more)), scope)
    return Flow.NEXT


def _fed(run: Run, node: ast.AugAssign | ast.Assign | ast.AnnAssign, value: Term, scope: Scope) -> None:
    """
    Note what a helper of the suite, a clock or a store that the product asks, is told to hold.
    """
    target = node.targets[0] if isinstance(node, ast.Assign) else node.target
    owner = evaluate(run, target.value, scope) if isinstance(target, ast.Attribute) else None
    if isinstance(target, ast.Attribute) and isinstance(owner, Instance) and owner is not run.instance:
        run.effects.append((Term("set", target.attr, (as_term(owner), value)), place_of(node, scope)))


@handles(ast.Delete)
def _delete(run: Run, node: ast.Delete, scope: Scope, _returned: Returned) -> Flow:
    for target in node.targets:
        if isinstance(target, ast.Name):
            scope.names.pop(target.id, None)
            continue
        run.trace.append(Term("delete", "", (term_of(run, target, scope),)))
        if isinstance(target, (ast.Attribute, ast.Subscript)):
            gone = Term(
                "set", _member(run, target, scope), (term_of(run, target.value, scope), Term("deleted"))
            )
            run.effects.append((gone, place_of(target, scope)))
    return Flow.NEXT


@handles(ast.Return)
def _return(run: Run, node: ast.Return, scope: Scope, returned: Returned) -> Flow:
    done = len(run.trace)
    value = evaluate(run, node.value, scope) if node.value is not None else terms.NONE
    if returned.within and not isinstance(node.value, ast.Name):
        run.note(as_term(value), since=done)
    if isinstance(node.value, ast.Name):
        run.checks += scope.keep(node.value.id)
    returned.values.append((run.guards, value))
    return Flow.RETURNS


@handles(ast.Raise)
def _raise(run: Run, node: ast.Raise, scope: Scope, _returned: Returned) -> Flow:
    if node.exc is None:
        return Flow.FAILS
    term = term_of(run, node.exc, scope)
    name = (terms.called(term) or term.value).rpartition(".")[2]
    if name in {"SkipTest", "Skipped"}:
        run.gates.append(Gate("skip", run.condition(), place_of(node, scope)))
        return Flow.SKIPS
    if name in {"SystemExit", "Exit"}:
        run.gates.append(Gate("exit", run.condition(), place_of(node, scope)))
        return Flow.SKIPS
    fail(run, place_of(node, scope))
    return Flow.FAILS


@handles(ast.FunctionDef, ast.AsyncFunctionDef)
def _define(
    run: Run, node: ast.FunctionDef | ast.AsyncFunctionDef, scope: Scope, _returned: Returned
) -> Flow:
    scope.set(
        node.name,
        decorated(run, Function(node, scope.module, scope, is_context=is_context(node)), scope),
        run.epoch,
    )
    return Flow.NEXT


@handles(ast.ClassDef)
def _class(run: Run, node: ast.ClassDef, scope: Scope, _returned: Returned) -> Flow:
    """
    A class within a test is handed to code that calls its methods, or there would be no need for one.
    """
    for one in node.body:
        if isinstance(one, (ast.FunctionDef, ast.AsyncFunctionDef)):
            hand_over(run, Function(one, scope.module, scope))
    scope.set(node.name, terms.name(node.name), run.epoch)  # and no class of the module's
    return Flow.NEXT


@handles(ast.Import, ast.ImportFrom)
def _import(run: Run, node: ast.Import | ast.ImportFrom, scope: Scope, _returned: Returned) -> Flow:
    import_into(run, node, scope)
    return Flow.NEXT


@handles(ast.Break)
def _break(_run: Run, _node: ast.stmt, _scope: Scope, _returned: Returned) -> Flow:
    return Flow.BREAKS


@handles(ast.Continue)
def _leave(_run: Run, _node: ast.stmt, _scope: Scope, _returned: Returned) -> Flow:
    return Flow.LEAVES


def import_into(run: Run, node: ast.Import | ast.ImportFrom, scope: Scope) -> None:
    """
    Bind what the statement imports as if a module of the same place had imported it.
    """
    module = Module(scope.module.path, ast.Module([node], []), "")
    module.collect([node])
    for name in module.imports:
        scope.set(name, resolve(run, module, name), run.epoch)
