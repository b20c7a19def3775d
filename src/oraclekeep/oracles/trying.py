"""
`try` statements: failures that are hidden, exceptions that are expected, and skips in a handler.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from oraclekeep.oracles import terms
from oraclekeep.oracles.asserts import UNBOUND, record
from oraclekeep.oracles.blocks import block_of
from oraclekeep.oracles.checks import COVERING, Check, Kind, Place
from oraclekeep.oracles.contexts import may_keep
from oraclekeep.oracles.evaluate import term_of
from oraclekeep.oracles.flow import LEAVING, Flow, Returned, execute, handles
from oraclekeep.oracles.parsing import below, fails
from oraclekeep.oracles.showing import show
from oraclekeep.oracles.terms import Term

if TYPE_CHECKING:
    from oraclekeep.oracles.values import Run, Scope, Value


@handles(ast.Try, ast.TryStar)
def _try(run: Run, node: ast.Try | ast.TryStar, scope: Scope, returned: Returned) -> Flow:
    """
    Read a `try`: what it hides, what it expects, what runs after it.
    """
    types = [_caught(run, handler, scope) for handler in node.handlers]
    if types and _expects(node):
        return _expected(run, node, types, scope, returned)
    hides = _why_hidden(run, node, types, scope, returned)
    held, run.swallowed = run.swallowed, run.swallowed or hides
    outer, run.trace = run.trace, []
    guards = run.guards
    run.tolerated += bool(node.handlers)
    names = dict(scope.names)
    accepted = () if hides else _accepted(run, node, types, scope, returned)
    run.guards = (*guards, *accepted)
    end = execute(run, node.body, scope, returned)
    run.guards = tuple(one for one in run.guards if not any(one is other for other in accepted))
    run.tolerated -= bool(node.handlers)
    block = block_of(run.trace) if run.trace else Term("block")
    run.trace = [*outer, *run.trace]
    run.swallowed = held
    after, passing = run.guards, [_passes(handler) for handler in node.handlers]
    ends: list[Flow] = []
    if any(passing):
        may_keep(scope, names, Term("except", "", (types[passing.index(True)],)))
    without, failed, caught_with = scope.names, end is Flow.FAILS, []
    for handler, caught in zip(node.handlers, types, strict=True):
        run.guards, scope.names = (*guards, Term("except", "", (caught,))), dict(without)
        if handler.name:
            scope.set(handler.name, Term("raised", "", (block,)), run.epoch)
        ends.append(execute(run, handler.body, scope, returned))
        if ends[-1] is Flow.NEXT:
            scope.names.pop(handler.name or "", None)  # Python forgets it, too
            caught_with.append((Term("except", "", (caught, block)), scope.names))
        after = (*after, Term("unless", "", (caught,))) if ends[-1] in LEAVING else after
    run.guards, scope.names = after, without
    if end is Flow.FAILS and ends:
        end = _after_raise(run, node, types, scope, ends)
    if end is Flow.NEXT and node.orelse:
        end = execute(run, node.orelse, scope, returned)
    if caught_with:
        run.caught = True
        scope.names = caught_with[0][1] if failed else _either(scope.names, caught_with)
    if node.finalbody:
        execute(run, node.finalbody, scope, returned)
    return end


def _either(without: dict[str, Value], caught_with: list[tuple[Term, dict[str, Value]]]) -> dict[str, Value]:
    """
    Return what the names mean after a block that may have raised: what a handler said, or the block did.
    """
    merged = dict(without)
    for condition, names in caught_with:
        for name, value in names.items():
            other = merged.get(name, UNBOUND)
            if not isinstance(value, Term):
                merged.setdefault(name, value)
            elif isinstance(other, Term) and value != without.get(name):
                merged[name] = Term("ifexp", "", (condition, value, other))
    return merged


def _after_raise(
    run: Run, node: ast.Try | ast.TryStar, types: list[Term], scope: Scope, ends: list[Flow]
) -> Flow:
    """
    Return how a block ends that raises by itself: as the handler does which takes the error.
    """
    last = node.body[-1]
    made = last.exc.func if isinstance(last, ast.Raise) and isinstance(last.exc, ast.Call) else None
    named = made if made is not None else last.exc if isinstance(last, ast.Raise) else None
    raised = term_of(run, named, scope) if named is not None else None
    for caught, end in zip(types, ends, strict=True):
        if _covers(caught) or raised in (caught.args if caught.op in {"tuple", "list"} else (caught,)):
            return end
    return Flow.NEXT if Flow.NEXT in ends else ends[0]


def _passes(handler: ast.ExceptHandler) -> bool:
    """
    Return whether a handler does nothing, and goes on.
    """
    return all(isinstance(one, ast.Pass) or _says_nothing(one) for one in handler.body)


def _says_nothing(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _caught(run: Run, handler: ast.ExceptHandler, scope: Scope) -> Term:
    return term_of(run, handler.type, scope) if handler.type is not None else terms.name("BaseException")


def _covers(caught: Term) -> bool:
    return any(
        one.value in COVERING for one in (caught.args if caught.op in {"tuple", "list"} else (caught,))
    )


def _expects(node: ast.Try | ast.TryStar) -> bool:
    return fails(node.orelse) or (fails(node.body) and len(node.body) > 1 and not _covers_failure(node))


def _covers_failure(node: ast.Try | ast.TryStar) -> bool:
    """
    `try: f(); assert False / except Exception: pass` hides its own failure.
    """
    bare = [
        one
        for one in node.handlers
        if one.type is None or (isinstance(one.type, ast.Name) and one.type.id in COVERING)
    ]
    return bool(bare)


def _expected(
    run: Run, node: ast.Try | ast.TryStar, types: list[Term], scope: Scope, returned: Returned
) -> Flow:
    outer, run.trace, done = run.trace, [], len(run.effects)
    execute(run, node.body if fails(node.orelse) else node.body[:-1], scope, returned)
    run.effects[done:] = [(Term("failing", "", (one,)), where) for one, where in run.effects[done:]]
    block = block_of(run.trace) if run.trace else Term("block")
    run.trace = [*outer, block]
    place = Place(scope.module.path, node.lineno, scope.module.segment(node.body[0]))
    expected = types[0] if len(types) == 1 else Term("tuple", "", tuple(types))
    record(run, Check(Kind.RAISES, block, expected, guards=run.guards, place=place))
    for handler in node.handlers:
        if handler.name:
            scope.set(handler.name, Term("raised", "", (block,)), run.epoch)
        execute(run, handler.body, scope, returned)
    if node.finalbody:
        execute(run, node.finalbody, scope, returned)
    return Flow.NEXT


def _why_hidden(
    run: Run, node: ast.Try | ast.TryStar, types: list[Term], scope: Scope, returned: Returned
) -> str:
    if any(_jumps(one) for one in node.finalbody):
        return "leaving `finally` by `return`, `break` or `continue` discards the failure"
    for handler, caught in zip(node.handlers, types, strict=True):
        if _covers(caught) and not _ends_badly(run, handler, scope, returned):
            return f"`except {show(caught)}` hides the failure"
    return ""


def _accepted(
    run: Run, node: ast.Try | ast.TryStar, types: list[Term], scope: Scope, returned: Returned
) -> tuple[Term, ...]:
    """
    Return the errors that the test takes for an answer: what the block checks holds unless one is raised.
    """
    if not any(isinstance(one, (ast.Assert, ast.Call)) for stmt in node.body for one in below(stmt)):
        return ()
    return tuple(
        Term("unless", "", (caught,))
        for handler, caught in zip(node.handlers, types, strict=True)
        if _end_of(run, handler, scope, returned)[0] not in (Flow.FAILS, Flow.SKIPS)
    )


def _jumps(node: ast.AST, *, in_loop: bool = False) -> bool:
    """
    Return whether a statement may leave the block it stands in for what is outside.
    """
    match node:
        case ast.Return():
            return True
        case ast.Break() | ast.Continue():
            return not in_loop
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef() | ast.Lambda():
            return False
        case _:
            inner = in_loop or isinstance(node, ast.For | ast.AsyncFor | ast.While)
            return any(_jumps(one, in_loop=inner) for one in ast.iter_child_nodes(node))


def _ends_badly(run: Run, handler: ast.ExceptHandler, scope: Scope, returned: Returned) -> bool:
    end, asserts = _end_of(run, handler, scope, returned)
    return end in (Flow.FAILS, Flow.SKIPS) or asserts


def _end_of(run: Run, handler: ast.ExceptHandler, scope: Scope, returned: Returned) -> tuple[Flow, bool]:
    """
    Read the handler once for its end alone, and for whether it checks anything.
    """
    kept = (
        len(run.checks),
        len(run.gates),
        len(run.effects),
        list(run.trace),
        run.guards,
        dict(scope.names),
        run.epoch,
    )
    if handler.name:
        scope.set(handler.name, Term("raised"), run.epoch)
    checked = len(run.checks)
    end = execute(run, handler.body, scope, returned)
    asserts = any(not one.dead for one in run.checks[checked:])
    del run.checks[kept[0] :], run.gates[kept[1] :], run.effects[kept[2] :]
    run.done = ()
    run.trace, run.guards, scope.names, run.epoch = kept[3], kept[4], kept[5], kept[6]
    return end, asserts
