"""
Constants that a module builds up in several statements: each is read as one expression of the name before it.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

#: Methods after which the container holds less, or something that is not known.
_TAKING: Final = frozenset({"pop", "popitem", "remove", "clear", "discard", "setdefault"})


def built(node: ast.stmt) -> tuple[str, ast.expr] | None:
    """
    Return the name that a statement changes in place, and what it then holds as an expression of itself.

    `ROWS.append(1)` is `ROWS + [1]`, and a loop of nothing but that is a comprehension.
    """
    found = _step(node)
    if found is not None:
        ast.fix_missing_locations(ast.copy_location(found[1], node))
    return found


def _step(node: ast.stmt) -> tuple[str, ast.expr] | None:
    match node:
        case ast.AugAssign(target=ast.Name(id=name), op=op, value=value):
            return name, ast.BinOp(_name(name), op, value)
        case ast.Expr(
            value=ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=method), args=args, keywords=[])
        ):
            after = _after_call(name, method, args)
            return (name, after) if after is not None else None
        case ast.Assign(targets=[ast.Subscript(value=ast.Name(id=name), slice=key)], value=value):
            return name, ast.Dict([None, key], [_name(name), value])
        case ast.Delete(targets=[ast.Subscript(value=ast.Name(id=name), slice=key)]):
            return name, ast.Call(_name("del"), [_name(name), key], [])
        case ast.For(target=target, iter=source, body=body, orelse=[]):
            return _loop(ast.comprehension(target, source, [], 0), body)
        case ast.If(test=test, body=[one], orelse=[]):
            inner = _step(one)
            return (inner[0], ast.IfExp(test, inner[1], _name(inner[0]))) if inner is not None else None
        case _:
            return None


def _after_call(name: str, method: str, args: Sequence[ast.expr]) -> ast.expr | None:
    match method, args:
        case ("append", [value]) | ("insert", [_, value]):
            return ast.BinOp(_name(name), ast.Add(), ast.List([value], ast.Load()))
        case "extend", [value]:
            return ast.BinOp(_name(name), ast.Add(), ast.List([ast.Starred(value, ast.Load())], ast.Load()))
        case "add", [value]:
            return ast.BinOp(_name(name), ast.BitOr(), ast.Set([value]))
        case "update", [ast.Set() | ast.SetComp() as value]:
            return ast.BinOp(_name(name), ast.BitOr(), value)
        case "update", [value]:
            return ast.Dict([None, None], [_name(name), value])
        case _ if method in _TAKING:
            return ast.Call(_name(method), [_name(name), *args], [])
        case _:
            return None


def _loop(turns: ast.comprehension, body: Sequence[ast.stmt]) -> tuple[str, ast.expr] | None:
    match body:
        case [ast.If(test=test, body=inner, orelse=[])]:
            return _loop(ast.comprehension(turns.target, turns.iter, [*turns.ifs, test], 0), inner)
        case [
            ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="append"), args=[one]))
        ]:
            return name, ast.BinOp(_name(name), ast.Add(), ast.ListComp(one, [turns]))
        case [ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="add"), args=[one]))]:
            return name, ast.BinOp(_name(name), ast.BitOr(), ast.SetComp(one, [turns]))
        case [ast.Assign(targets=[ast.Subscript(value=ast.Name(id=name), slice=key)], value=value)]:
            return name, ast.Dict([None, None], [_name(name), ast.DictComp(key, value, [turns])])
        case _:
            return None


def _name(name: str) -> ast.Name:
    return ast.Name(name, ast.Load())
