"""
What a statement of a module binds without being an assignment to a name.
"""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING, Final

from oraclekeep.oracles.parsing import below

if TYPE_CHECKING:
    from collections.abc import Iterator

_FROM_INSIDE: Final = re.compile(r"\bglobals?\b|\[\s*__name__\s*\]")


def rebound_from_inside(tree: ast.Module, text: str) -> Iterator[str]:
    """
    Yield the names of a module to which its functions give another meaning while they run.
    """
    for node in below(tree) if _FROM_INSIDE.search(text) else ():
        match node:
            case ast.Global(names=names):
                yield from names
            case ast.Subscript(ctx=ast.Store()):
                yield from named_in_globals(node)
            case ast.Call(
                func=ast.Attribute(value=ast.Call(func=ast.Name(id="globals")), attr="update"),
                args=args,
                keywords=keywords,
            ):
                yield from (one.arg for one in keywords if one.arg is not None)
                keys = (key for one in args if isinstance(one, ast.Dict) for key in one.keys)
                yield from (
                    key.value for key in keys if isinstance(key, ast.Constant) and isinstance(key.value, str)
                )
            case ast.Call(
                func=ast.Name(id="setattr"),
                args=[ast.Subscript(slice=ast.Name(id="__name__")), ast.Constant(value=str(name)), _],
            ):
                yield name
            case _:
                continue


def named_in_globals(target: ast.expr) -> Iterator[str]:
    """
    Yield the name of the module that `globals()["name"]` means.
    """
    match target:
        case ast.Subscript(
            value=ast.Call(func=ast.Name(id="globals" | "vars"), args=[]), slice=ast.Constant(value=str(name))
        ):
            yield name
        case _:
            return


def bound(node: ast.stmt) -> Iterator[str]:
    """
    Yield the names that a statement of another kind binds, or takes away, in the module.
    """
    match node:
        case ast.Assign(targets=targets):
            targets = list(targets)
        case ast.For(target=target) | ast.AugAssign(target=target):
            targets = [target]
        case ast.With(items=items):
            targets = [item.optional_vars for item in items if item.optional_vars is not None]
        case _:
            targets = []
    for one in targets:
        yield from named_in_globals(one)
        yield from (
            inner.id
            for inner in ast.walk(one)
            if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Store)
        )
