"""
Calls of the suite's own functions: arguments are bound, the body is read, the value comes back.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from oraclekeep.oracles import terms
from oraclekeep.oracles.evaluate import as_term, evaluate
from oraclekeep.oracles.flow import Returned, execute
from oraclekeep.oracles.parsing import below
from oraclekeep.oracles.terms import Term
from oraclekeep.oracles.values import MAX_DEPTH, MAX_STEPS, Args, Bag, Function, Scope

if TYPE_CHECKING:
    from oraclekeep.oracles.values import Run, Value


def invoke(run: Run, function: Function, args: Args) -> Value:
    """
    Follow a call of one of the suite's own functions and return its value.
    """
    if run.depth >= MAX_DEPTH or run.steps > MAX_STEPS:
        run.cut += 1
        return terms.call(as_term(function), tuple(as_term(one) for one in args.positional))
    scope = _scope_of(run, function, args)
    guards = run.guards
    run.depth += 1
    try:
        if isinstance(function.node, ast.Lambda):
            return evaluate(run, function.node.body, scope)
        returned = Returned()
        execute(run, function.node.body, scope, returned)
        run.guards = guards
        return _value_of(returned, guards, function, args)
    finally:
        run.depth -= 1
        run.guards = guards


def _value_of(returned: Returned, guards: tuple[Term, ...], function: Function, args: Args) -> Value:
    values = returned.values
    if not values:
        return terms.NONE
    if len(values) == 1:
        return values[0][1]
    if all(isinstance(value, Term) for _, value in values):
        # Several returns: the first whose condition holds wins.
        result, caught = as_term(values[-1][1]), _handler(values[-1][0], guards)
        for under, value in reversed(values[:-1]):
            extra = [guard for guard in under if guard not in guards and guard.op != "foreach"]
            if not extra:
                return Term("ifexp", "", (caught, result, as_term(value))) if caught else as_term(value)
            condition = extra[0] if len(extra) == 1 else Term("bool", "And", tuple(extra))
            result = Term("ifexp", "", (condition, as_term(value), result))
        return result
    return terms.call(as_term(function), tuple(as_term(one) for one in args.positional))


def _handler(under: tuple[Term, ...], guards: tuple[Term, ...]) -> Term | None:
    """
    Return the error whose handler returns a value, in place of what the block would have returned.
    """
    return next((guard for guard in under if guard.op == "except" and guard not in guards), None)


#: Class methods that set up what all tests of a class find on `self`.
_OF_ALL: Final = frozenset({"setUpClass", "setup_class", "setUpTestData", "tearDownClass", "teardown_class"})


def _scope_of(run: Run, function: Function, args: Args) -> Scope:
    node = function.node
    scope = Scope(function.module, parent=function.scope, called=True)
    scope.changed, scope.passed = run.sources.once("mutations", node, _mutations)
    spec = node.args
    positional = list(args.positional)
    params = [*spec.posonlyargs, *spec.args]
    if function.owner is not None and params:
        is_class = any(
            isinstance(one, ast.Name) and one.id == "classmethod"
            for one in getattr(node, "decorator_list", [])
        )
        scope.set(
            params.pop(0).arg,
            Term("name", f"suite:{function.owner.klass.node.name}")
            if is_class and getattr(node, "name", "") not in _OF_ALL
            else function.owner,
        )
    defaults = dict(zip([one.arg for one in params][::-1], spec.defaults[::-1], strict=False))
    defaults |= {
        one.arg: value
        for one, value in zip(spec.kwonlyargs, spec.kw_defaults, strict=True)
        if value is not None
    }
    named = dict(args.named)
    scope.passed |= {
        one.arg for place, one in enumerate(params) if one.arg in args.handed or place in args.handed
    }
    for place, one in enumerate(params):
        if positional:
            scope.set(one.arg, positional.pop(0), args.moments.get(place, run.epoch))
        elif one.arg in named:
            scope.set(one.arg, named.pop(one.arg), args.moments.get(one.arg, run.epoch))
        elif one.arg in defaults:
            scope.set(
                one.arg,
                evaluate(run, defaults[one.arg], Scope(function.module, parent=function.scope)),
                run.epoch,
            )
        else:
            scope.set(one.arg, Term("param", one.arg))
    for one in spec.kwonlyargs:
        given = named.pop(one.arg, None)
        if given is None and one.arg in defaults:
            given = evaluate(run, defaults[one.arg], Scope(function.module, parent=function.scope))
        scope.set(one.arg, given if given is not None else Term("param", one.arg))
    if spec.vararg is not None:
        rest: Value = Bag({str(index): one for index, one in enumerate(positional)})
        if all(isinstance(one, Term) for one in positional):
            rest = Term("tuple", "", tuple(as_term(one) for one in positional))
        scope.set(spec.vararg.arg, rest)
    if spec.kwarg is not None:
        scope.set(spec.kwarg.arg, Bag({key: one for key, one in named.items() if key != "**"}))
    return scope


def handed_to(function: Function) -> Args:
    """
    Return what other code calls a function with: a default of None only stands in for what that gives.
    """
    spec = function.node.args
    places = [*spec.posonlyargs, *spec.args]
    defaults = [*zip(places[::-1], spec.defaults[::-1], strict=False)]
    defaults += [(one, value) for one, value in zip(spec.kwonlyargs, spec.kw_defaults, strict=True) if value]
    absent = [one.arg for one, value in defaults if isinstance(value, ast.Constant) and value.value is None]
    return Args([], {name: Term("param", name) for name in absent})


_MUTATORS: Final = frozenset(
    {
        "append",
        "extend",
        "add",
        "update",
        "insert",
        "remove",
        "pop",
        "clear",
        "sort",
        "reverse",
        "setdefault",
        "discard",
        "popitem",
        "write",
    }
)


def _mutations(node: ast.AST) -> tuple[frozenset[str], frozenset[str]]:
    """
    Return the names that a function changes in place, and those it hands to calls.
    """
    changed: set[str] = set()
    passed: set[str] = set()
    for one in below(node):
        match one:
            case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=member))) if (
                member in _MUTATORS
            ):
                changed.add(name)
            case (
                ast.Assign(targets=[ast.Subscript(value=ast.Name(id=name))])
                | ast.AugAssign(target=ast.Subscript(value=ast.Name(id=name)))
            ):
                changed.add(name)
            case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)) if (
                name in terms.PURE or name.startswith("assert")
            ):
                continue  # they only look
            case ast.Call():
                given = [*one.args, *(key.value for key in one.keywords)]
                passed |= {arg.id for arg in given if isinstance(arg, ast.Name)}
                changed |= {  # `calls.append`, for others to call
                    arg.value.id
                    for arg in given
                    if isinstance(arg, ast.Attribute)
                    and isinstance(arg.value, ast.Name)
                    and arg.attr in _MUTATORS
                }
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.Lambda() if one is not node:
                changed |= {
                    inner.func.value.id
                    for inner in below(one)
                    if isinstance(inner, ast.Call)
                    and isinstance(inner.func, ast.Attribute)
                    and isinstance(inner.func.value, ast.Name)
                    and inner.func.attr in _MUTATORS
                }
                changed |= {
                    name for inner in below(one) if isinstance(inner, ast.Nonlocal) for name in inner.names
                }
                changed |= {
                    inner.value.id
                    for inner in below(one)
                    if isinstance(inner, ast.Subscript)
                    and isinstance(inner.ctx, ast.Store)
                    and isinstance(inner.value, ast.Name)
                }
            case _:
                continue
    return frozenset(changed), frozenset(passed)


def decorated(run: Run, function: Function, scope: Scope) -> Value:
    """
    Apply the suite's own decorators to a function; what they return is what gets called.
    """
    value: Value = function
    for one in reversed(getattr(function.node, "decorator_list", [])):
        target = one.func if isinstance(one, ast.Call) else one
        if isinstance(target, (ast.Name, ast.Attribute)) and isinstance(
            evaluate(run, target, scope), Function
        ):
            outer = evaluate(run, one, scope)
            if isinstance(outer, Function):
                value = run.invoke(run, outer, Args([value]))
    return value
