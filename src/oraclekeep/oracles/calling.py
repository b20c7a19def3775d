"""
Calls: the suite's own functions are followed, assertions recorded, the rest written down.
"""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from oraclekeep.oracles import terms
from oraclekeep.oracles.arguments import arguments
from oraclekeep.oracles.asserting import on_call
from oraclekeep.oracles.asserts import as_long, place_of
from oraclekeep.oracles.collect import class_of, lookup
from oraclekeep.oracles.displays import elements
from oraclekeep.oracles.evaluate import as_term, evaluate, reads
from oraclekeep.oracles.following import handed_to
from oraclekeep.oracles.matchers import as_matcher, with_defaults
from oraclekeep.oracles.naming import is_composite, member_of
from oraclekeep.oracles.parsing import below
from oraclekeep.oracles.spelling import fold
from oraclekeep.oracles.terms import Term
from oraclekeep.oracles.values import MAX_DEPTH, UNKNOWN, Args, Function, Instance, Pending, Run, Scope
from oraclekeep.oracles.wrapping import by_product

if TYPE_CHECKING:
    from oraclekeep.oracles.values import Value


#: Calls that run the coroutines they are given.
_RUNNERS: Final = frozenset(
    {
        "run",
        "run_until_complete",
        "gather",
        "wait_for",
        "wait",
        "async_to_sync",
    }
)


#: What a composite strategy is given to draw with.
DRAW: Final = Term("param", "draw of a composite")
_CONSUMERS: Final = frozenset(
    {"list", "tuple", "set", "dict", "next", "sum", "any", "all", "sorted", "max", "min", "frozenset"}
)


#: Functions that compare as an operator does.
_COMPARING: Final = {
    "operator.eq": "Eq", "operator.ne": "NotEq", "operator.lt": "Lt", "operator.le": "LtE",
    "operator.gt": "Gt", "operator.ge": "GtE", "operator.is_": "Is", "operator.is_not": "IsNot",
}  # fmt: skip
#: Methods that take a function which runs when the test is over.
_CLEANING: Final = frozenset(
    {"addCleanup", "addClassCleanup", "addModuleCleanup", "addAsyncCleanup", "addfinalizer"}
)


@reads(ast.Call)
def _call(run: Run, node: ast.Call, scope: Scope) -> Value:
    func = evaluate(run, node.func, scope)
    args = arguments(run, node, scope)
    return call_value(run, func, args, node, scope)


def call(run: Run, func: Value, args: Args, scope: Scope) -> Value:
    """
    Call a function, a class or an object of the suite; anything else gives what is not known.
    """
    match func:
        case Function():
            return _call_function(run, func, args)
        case Instance():
            found = func.klass.member("__call__")
            if found is not None and isinstance(found[0], ast.FunctionDef | ast.AsyncFunctionDef):
                return _call_function(run, Function(found[0], found[1].module, owner=func), args)
        case Term(op="name", value=value) if value.startswith("suite:"):
            return _instantiate(run, func, args, scope) or UNKNOWN
    return UNKNOWN


def call_value(run: Run, func: Value, args: Args, node: ast.Call, scope: Scope) -> Value:
    """
    Call a value: the suite's own functions are followed, assertions are recorded, the rest is a term.
    """
    if isinstance(func, Function) or (isinstance(func, Instance) and func.klass.member("__call__")):
        return call(run, func, args, scope)
    target = as_term(func)
    if target.value == "functools.partial" and args.positional and isinstance(args.positional[0], Function):
        return _preset(run, args.positional[0], args)
    if target.value in _COMPARING and len(args.positional) == 2 and not args.named:
        return fold(Term("cmp", _COMPARING[target.value], tuple(as_term(one) for one in args.positional)))
    if terms.called(target) == "functools.partial" and len(target.args) > 1:
        held = {arg.value: arg.args[0] for arg in target.args[2:] if arg.op == "kw"}
        places = [*terms.positional(target)[1:], *args.positional]
        return call_value(run, target.args[1], Args(places, held | args.named), node, scope)
    if terms.called(target) == "operator.itemgetter" and len(target.args) == 2 and len(args.positional) == 1:
        return Term("index", "", (as_term(args.positional[0]), target.args[1]))
    if target == DRAW and args.positional:
        run.draws.append(as_term(args.positional[0]))
        return Term("drawn", f"draw {len(run.draws)}")
    if (
        target.value in {"anyio.run", "trio.run"}
        and args.positional
        and isinstance(args.positional[0], Function)
    ):
        # These take the function and its arguments apart, where `asyncio.run` takes the coroutine.
        args = Args([call(run, args.positional[0], Args(args.positional[1:]), scope)])
    pending = [one for one in args.positional if isinstance(one, Pending)]
    if (
        target.value in {"asyncio.run", "anyio.run", "trio.run"}
        and len(args.positional) == 1
        and isinstance(args.positional[0], Term)
    ):
        return args.positional[0]  # running it and awaiting it are one thing
    if target.op == "attr" and target.value == "draw" and target.args[0].op == "data" and args.positional:
        place = str(int(target.args[0].value) + len(run.interactive))
        run.interactive[place] = as_term(args.positional[0])
        return Term("drawn", place)
    if target.op == "attr" and target.value in {"submit", "map"} and _is_executor(target.args[0]):
        return _executed(run, target, args, node, scope)
    if pending and target.value.endswith("mark.parametrize"):
        args.positional = [
            (_yielded(run, one) if isinstance(one, Pending) else None) or one for one in args.positional
        ]
    if pending and (ran := _run_pending(run, target, pending, args)) is not None:
        return ran
    if (
        target.op == "name"
        and target.value.startswith("suite:")
        and (made := _instantiate(run, target, args, scope)) is not None
    ):
        return made
    if target.value == "pytest.param" and args.positional:
        marks = args.named.get("marks")
        extra = (Term("kw", "marks", (as_term(marks),)),) if marks is not None else ()
        return Term("case", "", (*(as_term(one) for one in args.positional), *extra))
    if target.value == "map" and (mapped := _mapped(run, args, node, scope)) is not None:
        return mapped
    if target.value == "zip" and args.named.pop("strict", None) == terms.TRUE:
        as_long(run, [as_term(one) for one in args.positional], place_of(node, scope))
    if target.value == "type" and len(args.positional) == 1 and isinstance(args.positional[0], Instance):
        return args.positional[0]  # what it asks of the class is what the class's objects find
    if target.value == "staticmethod" and len(args.positional) == 1:
        return args.positional[0]
    if target.value == "getattr" and (member := _spelt_out(args)) is not None:
        return member_of(run, args.positional[0], member)
    if target.op == "attr" and target.value in _CLEANING and args.positional:
        _later(run, args)
    else:
        _callbacks(run, args)
    term = terms.call(
        target,
        tuple(as_term(one) for one in args.positional),
        tuple((key, as_term(one)) for key, one in args.named.items()),
    )
    return on_call(run, term, node, scope, args)


def _preset(run: Run, func: Function, args: Args) -> Function:
    """
    Return what `partial` makes of a function of the suite.
    """

    def wrapped(more: Args) -> Value:
        places = [*args.positional[1:], *more.positional]
        return call(run, func, Args(places, args.named | more.named), Scope(func.module))

    return replace(func, wrapped_by=wrapped)


def _spelt_out(args: Args) -> str | None:
    """
    Return the name that `getattr(x, "name")` asks for, where nothing stands in for a missing one.
    """
    if len(args.positional) != 2 or args.named or not terms.is_literal(as_term(args.positional[1])):
        return None
    name = terms.literal(as_term(args.positional[1]))
    return name if isinstance(name, str) and name.isidentifier() else None


def _is_executor(term: Term) -> bool:
    return terms.called(term).endswith(("ThreadPoolExecutor", "ProcessPoolExecutor", ".Pool", "ThreadPool"))


def _executed(run: Run, target: Term, args: Args, node: ast.Call, scope: Scope) -> Value:
    """
    Read what a pool runs: an error in it is seen by who asks for its result, and by nobody else.
    """
    if target.value == "map" and (mapped := _mapped(run, args, node, scope)) is not None:
        return mapped
    asked = len(run.checks)
    func = args.positional[0] if args.positional else UNKNOWN
    if target.value == "submit" and isinstance(func, Function):
        call_value(run, func, Args(args.positional[1:], args.named), node, scope)
        run.promised += run.checks[asked:]
        del run.checks[asked:]
    return terms.call(target, tuple(as_term(one) for one in args.positional))


def _mapped(run: Run, args: Args, node: ast.Call, scope: Scope) -> Value | None:
    """
    `map(f, rows)` over rows that are written out is a call for each of them.
    """
    if len(args.positional) != 2 or args.named:
        return None
    func, rows = args.positional[0], as_term(args.positional[1])
    items = elements(rows)
    if items is None:
        guards, run.guards = run.guards, (*run.guards, Term("foreach", "", (rows,)))
        each = as_term(call_value(run, func, Args([Term("each", "", (rows,))]), node, scope))
        run.guards = guards
        return Term("comp", "list", (each,))
    return Term("list", "", tuple(as_term(call_value(run, func, Args([one]), node, scope)) for one in items))


def _later(run: Run, args: Args) -> None:
    """
    Note a function of the suite that runs when the test is over.
    """
    func, rest, guards = args.positional[0], Args(args.positional[1:], args.named), run.guards

    def clean(run: Run) -> None:
        held, run.guards = run.guards, guards
        run.invoke(run, func, rest) if isinstance(func, Function) else None
        run.guards = held

    if isinstance(func, Function):
        run.teardown.append(clean)


def _callbacks(run: Run, args: Args) -> None:
    """
    Read the checks of local functions that are handed to code which may call them.
    """
    for one in (*args.positional, *args.named.values()):
        if isinstance(one, Function):
            hand_over(run, one)
        elif isinstance(one, Instance) and not one.handed and not one.klass.is_case:
            one.handed = True
            for name in one.klass.names():
                found = None if name.startswith("test") else one.klass.member(name)
                if found is not None and isinstance(found[0], ast.FunctionDef | ast.AsyncFunctionDef):
                    hand_over(run, Function(found[0], found[1].module, Scope(found[1].module), owner=one))


def hand_over(run: Run, function: Function) -> None:
    if function.scope is not None:
        _read_within(run, function)


def _read_within(run: Run, function: Function) -> None:
    """
    Read the checks of a function that other code may call, nobody knows how often and with what.
    """
    if run.depth > 4 or not run.sources.once("asserts", function.node, asserts):
        return
    guards, run.guards = run.guards, (*run.guards, Term("callback"))
    run.invoke(run, function, handed_to(function))
    run.guards = guards


def asserts(node: ast.AST) -> bool:
    """
    Return whether a piece of code may fail a test by itself.
    """
    return any(
        isinstance(one, ast.Assert) or (isinstance(one, ast.Attribute) and one.attr.startswith("assert"))
        for one in below(node)
    )


def _call_function(run: Run, func: Function, args: Args) -> Value:
    if is_composite(func.node):
        return _composite(run, func, args)
    if func.wrapped_by is not None:
        return func.wrapped_by(args)
    if (made := by_product(run, func)) is not None:
        _callbacks(run, args)
        _read_within(run, func)
        named = tuple((key, as_term(one)) for key, one in args.named.items())
        return terms.call(made, tuple(as_term(one) for one in args.positional), named)
    if func.is_context:
        return Pending(func, args, "context")
    if isinstance(func.node, ast.AsyncFunctionDef):
        return Pending(func, args, "coroutine")
    if not isinstance(func.node, ast.Lambda) and run.sources.once("generator", func.node, is_generator):
        return Pending(func, args, "generator")
    return run.invoke(run, func, args)


def _yielded(run: Run, pending: Pending) -> Term | None:
    """
    Return the values that a generator of the suite yields, if all of them are written out.
    """
    given: list[tuple[tuple[Term, ...], Value]] = []
    guards = run.guards
    run.on_yield.append(lambda value: given.append((run.guards, value)))
    run.invoke(run, pending.function, pending.args)
    run.on_yield.pop()
    if any(under != guards for under, _ in given):
        return None
    return Term("list", "", tuple(as_term(value) for _, value in given))


def _composite(run: Run, func: Function, args: Args) -> Term:
    """
    A composite strategy is what it draws, and what it makes of that.
    """
    inner = Run(run.sources, run.home, run.invoke, depth=run.depth)
    value = inner.invoke(inner, func, Args([DRAW, *args.positional], args.named))
    run.uses |= inner.uses
    done = Term("done", "", tuple(effect for effect, _ in inner.effects))
    return Term("composite", "", (Term("draws", "", tuple(inner.draws)), as_term(value), done))


def _run_pending(run: Run, target: Term, pending: list[Pending], args: Args) -> Value | None:
    last = target.value.rpartition(".")[2]
    if last in {"create_task", "ensure_future"}:
        return pending[0]  # it runs when it is awaited
    held = run.swallowed
    if args.named.get("return_exceptions") == terms.TRUE:
        run.swallowed = held or "`return_exceptions=True` hides the failure"
    results = [
        run.invoke(run, one.function, one.args)
        if one.kind == "coroutine"
        else fold(terms.call(target, (_yielded(run, one) or UNKNOWN,)))
        for one in pending
        if (one.kind == "coroutine" and last in _RUNNERS) or (one.kind == "generator" and last in _CONSUMERS)
    ]
    run.swallowed = held
    if not results:
        return None
    return results[0] if len(results) == 1 else Term("tuple", "", tuple(as_term(one) for one in results))


def _instantiate(run: Run, target: Term, args: Args, scope: Scope) -> Value | None:
    """
    Make an object of a helper class of the suite, so that its methods can be followed.
    """
    found = lookup(run.sources, scope.module, target.value.removeprefix("suite:"))
    if found is None or not isinstance(found[0], ast.ClassDef):
        return None
    if run.depth > MAX_DEPTH:
        run.cut += 1
        return None
    klass = class_of(run.sources, found[1], found[0])
    term = terms.call(
        target,
        tuple(as_term(one) for one in args.positional),
        tuple((key, as_term(one)) for key, one in args.named.items()),
    )
    term = as_matcher(run, klass, term)
    made = Instance(klass, {}, term)
    init = klass.member("__init__")
    if init is None or not isinstance(init[0], ast.FunctionDef):
        has_methods = any(isinstance(one, (ast.FunctionDef, ast.AsyncFunctionDef)) for one in found[0].body)
        if has_methods and not klass.outside:
            return made
        _callbacks(run, Args([made]))  # what it inherits from elsewhere calls its methods
        return term if term.op == "matcher" else None
    run.invoke(run, Function(init[0], init[1].module, owner=made), args)
    made.term = with_defaults(made)
    return made


def is_generator(node: ast.AST) -> bool:
    """
    Return whether the function's own body yields.
    """
    if not any(isinstance(one, (ast.Yield, ast.YieldFrom)) for one in below(node)):
        return False
    stack = list(ast.iter_child_nodes(node))
    while stack:
        one = stack.pop()
        if isinstance(one, (ast.Yield, ast.YieldFrom)):
            return True
        if not isinstance(one, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)):
            stack += ast.iter_child_nodes(one)
    return False


@reads(ast.Await)
def _await(run: Run, node: ast.Await, scope: Scope) -> Value:
    value = evaluate(run, node.value, scope)
    if isinstance(value, Pending) and value.kind == "coroutine":
        return run.invoke(run, value.function, value.args)
    return value


@reads(ast.Yield)
def _yield(run: Run, node: ast.Yield, scope: Scope) -> Value:
    value = evaluate(run, node.value, scope) if node.value is not None else terms.NONE
    if run.on_yield:
        run.on_yield[-1](value)
    return UNKNOWN
