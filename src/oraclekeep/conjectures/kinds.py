"""
Annotations in one spelling, and the plain values that fit them.
"""

from __future__ import annotations

import ast
import math
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

#: Spellings of one kind.
_SAME: Final = {
    **dict.fromkeys(("List", "Sequence", "MutableSequence", "Iterable", "Collection", "list"), "list"),
    **dict.fromkeys(("Dict", "Mapping", "MutableMapping", "dict"), "dict"),
    **dict.fromkeys(("Tuple", "tuple"), "tuple"),
    **dict.fromkeys(("Text", "str", "AnyStr", "LiteralString"), "str"),
}
_PLAIN: Final[Mapping[str, tuple[Any, ...]]] = {
    "str": ("", "a", "Zebra", "  two  words ", "über 5 €", "line\nbreak", "0042", "a,b;c"),
    "int": (0, 1, -1, 2, 7, 100, 365),
    "float": (0.0, 1.0, -1.5, 0.1, 2.5, 1000000.0),
    "bool": (False, True),
    "None": (None,),
    "list": ([], [7], [3, 1, 2], [1, 1, 2]),
}
_ANYTHING: Final = frozenset({"object", "Any"})
_DEEP: Final = 4


def spelled(node: ast.expr | None, aliases: Mapping[str, ast.expr], depth: int = 0) -> str:
    """
    Return an annotation in one spelling: `Sequence[str]` and `List[str]` are both `list[str]`.
    """
    match node:
        case None:
            return ""
        case ast.Constant(value=None):
            return "None"
        case ast.Constant(value=str(text)):
            return text
        case ast.Name(id=name) if name in aliases and depth < _DEEP:
            return spelled(_meant(aliases[name]), aliases, depth + 1)
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return _SAME.get(name, name)
        case ast.BinOp(op=ast.BitOr()):
            return " | ".join(sorted({spelled(one, aliases, depth) for one in _choices(node)}))
        case ast.Subscript(value=value, slice=inner):
            outer = spelled(value, aliases, depth)
            parts = inner.elts if isinstance(inner, ast.Tuple) else [inner]
            if outer in ("Optional", "Union"):
                rest = {"None"} if outer == "Optional" else set()
                return " | ".join(sorted({*(spelled(one, aliases, depth) for one in parts), *rest}))
            if outer in ("Annotated", "Final", "ClassVar"):
                return spelled(parts[0], aliases, depth)
            if outer == "Literal":
                return ast.unparse(node)
            return f"{outer}[{', '.join(spelled(one, aliases, depth) for one in parts)}]"
        case _:
            return ast.unparse(node)


def _meant(alias: ast.expr) -> ast.expr:
    """
    A new type over another one takes the other one's values.
    """
    match alias:
        case ast.Call(func=ast.Name(id="NewType") | ast.Attribute(attr="NewType"), args=[_, inner]):
            return inner
        case _:
            return alias


def _choices(node: ast.expr) -> Iterable[ast.expr]:
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        yield from _choices(node.left)
        yield from _choices(node.right)
    else:
        yield node


def values(node: ast.expr | None, aliases: Mapping[str, ast.expr], depth: int = 0) -> tuple[Any, ...]:
    """
    Return values in JSON that fit an annotation; none where no such value does.
    """
    match node:
        case ast.Constant(value=None):
            return (None,)
        case ast.Name(id=name) if name in aliases and depth < _DEEP:
            return values(_meant(aliases[name]), aliases, depth + 1)
        case ast.Name() | ast.Attribute():
            return _PLAIN.get(spelled(node, aliases), ())
        case ast.BinOp(op=ast.BitOr()):
            return _joined([values(one, aliases, depth) for one in _choices(node)])
        case ast.Subscript(value=value, slice=inner):
            parts = inner.elts if isinstance(inner, ast.Tuple) else [inner]
            return _generic(spelled(value, aliases), parts, aliases, depth)
        case _:
            return ()


def _generic(
    outer: str, parts: list[ast.expr], aliases: Mapping[str, ast.expr], depth: int
) -> tuple[Any, ...]:
    if outer == "Literal":
        given = [one.value if isinstance(one, ast.Constant) else ... for one in parts]
        return tuple(given) if all(_is_plain(one) for one in given) else ()
    if outer == "Optional":
        return _joined([values(parts[0], aliases, depth), (None,)])
    if outer == "Union":
        return _joined([values(one, aliases, depth) for one in parts])
    if outer in ("Annotated", "Final"):
        return values(parts[0], aliases, depth)
    if depth >= _DEEP:
        return ()
    if outer == "list" and spelled(parts[0], aliases) in _ANYTHING:
        return _PLAIN["list"]
    if outer == "list" and (inner := values(parts[0], aliases, depth + 1)):
        first, second, last = inner[0], inner[len(inner) // 2], inner[-1]
        return ([], [first], [last, first, second], [second, second, first], list(inner))
    if outer == "dict" and len(parts) == 2 and spelled(parts[0], aliases) == "str":
        inner = values(parts[1], aliases, depth + 1)
        return ({}, {"a": inner[0]}, {"b": inner[-1], "a": inner[0]}) if inner else ()
    return ()


def _joined(parts: list[tuple[Any, ...]]) -> tuple[Any, ...]:
    """
    A choice has the values of those of its parts that have any; None alone says nothing.
    """
    found = tuple(one for part in parts for one in part)
    return found if any(one is not None for one in found) else ()


def _is_plain(value: Any) -> bool:
    return (
        value is None or isinstance(value, (str, int)) or (isinstance(value, float) and math.isfinite(value))
    )


def has_shape(kind: str) -> bool:
    """
    Return whether a kind says what it holds: the keys of a bare `dict` are anybody's guess.
    """
    return not kind.startswith("dict") or not (
        {"", *_ANYTHING} & {kind.partition("[")[2].rstrip("]").rpartition(" ")[2]}
    )


def fits(value: Any, kind: str) -> bool:
    """
    Return whether a value read from JSON may be of a kind, as `spelled` names it.
    """
    for one in kind.split(" | "):
        outer = one.partition("[")[0]
        match value:
            case None | True | False:
                good = outer == ("None" if value is None else "bool")
            case str():
                good = outer == "str"
            case int():
                good = outer in ("int", "float")
            case float():
                good = outer == "float"
            case list():
                good = outer == "list"
            case _:
                good = outer == "dict"
        if good:
            return True
    return False


def literal(node: ast.expr | None) -> tuple[Any, ...]:
    """
    Return the value of a literal default in a tuple of its own; nothing where it is none, or not of JSON.
    """
    try:
        value = ast.literal_eval(node) if node is not None else ...
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
        return ()
    return (value,) if _is_plain(value) else ()
