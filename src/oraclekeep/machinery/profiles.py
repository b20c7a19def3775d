"""
Hypothesis profiles: how many examples a registered one draws, and which of them a module loads.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from oraclekeep.oracles.parsing import last_name

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

DEFAULT_EXAMPLES: Final = 100
_VARIABLES: Final = frozenset({"os.environ.get", "environ.get", "os.getenv", "getenv"})


def registered(tree: ast.AST) -> dict[str, tuple[int | None, ast.Call]]:
    """
    Return the profiles that a module registers by name, each with its number of examples and its place.

    The number is None where another profile or a variable says it.
    """
    return {
        _name(node.args[0]): (_examples(node), node)
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and _method(node) == "register_profile" and node.args
    }


def drawn_by(tree: ast.AST) -> dict[str, int | None]:
    """
    Return how many examples each profile draws that a module registers.
    """
    return {name: number for name, (number, _) in registered(tree).items()}


def loadings(tree: ast.Module) -> list[ast.Call]:
    """
    Return the calls that may have the last word: the last one that always runs, and all below it.
    """
    found: list[ast.Call] = []
    for node in tree.body:
        always = isinstance(node, ast.Expr) and _is_loading(node.value)
        inner = [one for one in ast.walk(node) if _is_loading(one)]
        found = [*([] if always else found), *(one for one in inner if isinstance(one, ast.Call))]
    return found


def loaded(tree: ast.Module, env: Mapping[str, str]) -> tuple[str | None, ...]:
    """
    Return the names of the profiles that a module may end up with; None stands for one that cannot be told.
    """
    constants = {
        node.targets[0].id: node.value
        for node in tree.body
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)
    }
    return tuple(
        name for call in loadings(tree) for name in dict.fromkeys(_names(call.args[0], env, constants))
    )


def examples(names: tuple[str | None, ...], known: Mapping[str, int | None]) -> int | None:
    """
    Return how many examples the widest of some profiles draws; None where one of them is unknown.
    """
    if not names:
        return DEFAULT_EXAMPLES
    drawn = [
        None if name is None else known.get(name, DEFAULT_EXAMPLES if name == "default" else None)
        for name in names
    ]
    sure = [number for number in drawn if number is not None]
    return max(sure) if len(sure) == len(drawn) else None


def _method(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else ""


def _is_loading(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and last_name(node.func) == "load_profile" and len(node.args) == 1


def _name(node: ast.expr) -> str:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ast.unparse(node)


def _names(node: ast.expr, env: Mapping[str, str], constants: Mapping[str, ast.expr]) -> Iterator[str | None]:
    match node:
        case ast.Constant(value=str(text)):
            yield text
        case ast.Name(id=name) if name in constants:
            yield from _names(constants[name], env, {})
        case ast.IfExp(body=body, orelse=orelse):
            yield from _names(body, env, constants)
            yield from _names(orelse, env, constants)
        case ast.BoolOp(op=ast.Or(), values=[ast.Call(args=[ast.Constant(value=str(name))]) as call, last]):
            if ast.unparse(call.func) in _VARIABLES and name in env:
                yield env[name]
            else:
                yield from _names(last, env, constants)
        case ast.Call(func=func, args=[ast.Constant(value=str(name)), default]):
            known = ast.unparse(func) in _VARIABLES
            yield from (env[name],) if known and name in env else _names(default, env, constants)
        case ast.Subscript(slice=ast.Constant(value=str(name))) if name in env:
            yield env[name]
        case _:
            yield None


def _examples(profile: ast.Call) -> int | None:
    given = {key.arg: key.value for key in profile.keywords}
    if isinstance(phases := given.get("phases"), ast.Tuple | ast.List | ast.Set) and not any(
        isinstance(one, ast.Starred) or last_name(one) == "generate" for one in phases.elts
    ):
        return 0
    number = given.get("max_examples")
    if number is None:
        return None if len(profile.args) > 1 or {None, "parent"} & given.keys() else DEFAULT_EXAMPLES
    return number.value if isinstance(number, ast.Constant) and isinstance(number.value, int) else None
