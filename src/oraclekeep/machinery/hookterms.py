"""
Expressions in hooks: the markers one can stand for, and whether a list is only put in another order.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

    from oraclekeep.machinery.pysource import PyFile

#: Markers that keep a test from running or its failure from counting.
SILENCING: Final = frozenset({"skip", "skipif", "xfail"})
_FROM_ITEM: Final = ("path", "nodeid", "parent", "module", "folder")
_KEEP_ALL: Final = frozenset({"sorted", "reversed", "list", "tuple"})


def marker_names(node: ast.expr, module: PyFile, depth: int = 0) -> frozenset[str] | None:
    """
    Return the markers an expression can stand for; None where that cannot be told.
    """
    if depth > 6:
        return None
    if text := module.text(node):
        return frozenset({text})
    deeper = depth + 1
    match node:
        case ast.Call(func=ast.Name(id="getattr"), args=[_, name, *_]):
            return _computed_name(name, module)
        case ast.Call(func=func):
            return marker_names(func, module, deeper)
        case ast.Attribute():
            dotted = module.dotted(node)
            is_mark = dotted.startswith(("pytest.mark.", "_pytest.mark."))
            return frozenset({dotted.rpartition(".")[2]}) if is_mark else None
        case ast.IfExp(body=body, orelse=orelse):
            sides = [marker_names(side, module, deeper) for side in (body, orelse)]
            known = [side for side in sides if side is not None]
            return frozenset().union(*known) if len(known) == len(sides) else None
        case ast.Name(id=name):
            dotted = module.dotted(node)
            if dotted.startswith("pytest.mark."):
                return frozenset({dotted.rpartition(".")[2]})
            value = module.constants.get(name)
            return marker_names(value, module, deeper) if value is not None else None
        case _:
            return None


def _computed_name(node: ast.expr, module: PyFile) -> frozenset[str] | None:
    """
    `getattr(pytest.mark, item.path.parent.name)` names markers after folders.
    """
    if texts := frozenset(module.texts(node)):
        return texts
    return frozenset() if any(word in ast.unparse(node) for word in _FROM_ITEM) else None


def is_list(node: ast.expr, lists: AbstractSet[str]) -> bool:
    """
    Tell whether an expression is the list of what runs, under one of its names.
    """
    if isinstance(node, ast.Name):
        return node.id in lists
    return isinstance(node, ast.Attribute) and node.attr == "items" and ast.unparse(node.value) == "session"


def reorders(value: ast.expr, lists: AbstractSet[str], module: PyFile) -> bool:
    """
    Tell whether an expression holds every item of the list, in whatever order.
    """
    match value:
        case ast.Call(func=func, args=[first, *_]) if module.dotted(func) in _KEEP_ALL:
            return reorders(first, lists, module)
        case ast.Call(func=func, args=[first, *_]) if module.dotted(func) == "random.sample":
            return reorders(first, lists, module) and ast.unparse(value).count("len(") == 1
        case ast.BinOp(op=ast.Add(), left=left, right=right):
            return _partition(left, right, lists, module)
        case ast.List(elts=[ast.Starred(value=left), ast.Starred(value=right)]):
            return _partition(left, right, lists, module)
        case ast.Subscript(value=owner, slice=ast.Slice(lower=None, upper=None)):
            return reorders(owner, lists, module)
        case _:
            return is_list(value, lists)


def _partition(left: ast.expr, right: ast.expr, lists: AbstractSet[str], module: PyFile) -> bool:
    """
    `fast + slow`, where each item went to one of the two by opposite filters or an `if` with an `else`.
    """
    tests: list[str] = []
    for side in (left, right):
        value = module.constants.get(side.id) if isinstance(side, ast.Name) else side
        match value:
            case ast.ListComp(
                elt=ast.Name(id=kept),
                generators=[ast.comprehension(target=ast.Name(id=name), iter=whole, ifs=[test])],
            ) if is_list(whole, lists) and kept == name:
                tests.append(ast.unparse(test))
            case _:
                pass
    if len(tests) == 2:
        return _opposite(*tests) or _opposite(*reversed(tests))
    names = {side.id for side in (left, right) if isinstance(side, ast.Name)}
    loops = [
        node for node in ast.walk(module.tree) if isinstance(node, ast.For) and is_list(node.iter, lists)
    ]
    return len(names) == 2 and any(len(loop.body) == 1 and _appended(loop.body[0]) == names for loop in loops)


def _opposite(one: str, other: str) -> bool:
    swapped = one.replace(" not in ", " in ")
    return other in {f"not {one}", f"not ({one})"} or (swapped != one and swapped == other)


def _appended(node: ast.stmt) -> set[str] | None:
    """
    Return the lists that an `if` and its `else` put the item on; None where some branch keeps it nowhere.
    """
    match node:
        case ast.If(body=[*_, then], orelse=[*_, other]):
            sides = [_appended(then), _appended(other)]
            known = [side for side in sides if side is not None]
            return set().union(*known) if len(known) == len(sides) else None
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=owner, attr="append"), args=[_])):
            match owner:
                case ast.Name(id=name):
                    return {name}
                case ast.IfExp(body=ast.Name(id=one), orelse=ast.Name(id=two)):
                    return {one, two}
                case _:
                    return None
        case _:
            return None
