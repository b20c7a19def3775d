"""
What a statement of a module binds without being an assignment to a name.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


def named_in_globals(target: ast.expr) -> Iterator[str]:
    """
    Yield the name of the module that `globals()["name"]` means.
    """
    match target:
        case ast.Subscript(
            value=ast.Call(func=ast.Name(id="globals" | "vars")), slice=ast.Constant(value=str(name))
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
