"""
Constant expressions, folded: text that was taken apart is put together again.
"""

from __future__ import annotations

import ast
import base64
import codecs
import re
from dataclasses import dataclass, field
from typing import Final

_NO_ARGUMENTS: Final = frozenset(
    {"lower", "upper", "casefold", "strip", "title", "capitalize", "swapcase", "decode", "encode"}
)
_LIMIT: Final = 4096  # longer text is not a name
_WIDE: Final = re.compile(r"\d{4,}|\*")  # a format that would pad its way through our memory


class _Unknown:
    def __repr__(self) -> str:
        return "unknown"


UNKNOWN: Final = _Unknown()


@dataclass(frozen=True)
class Folder:
    """
    Works out expressions that always have one value; ``constants`` are the names assigned once.
    """

    constants: dict[str, ast.expr]
    known: dict[str, object] = field(default_factory=dict, compare=False)  # what their names came to so far

    def fold(self, node: ast.AST | None, depth: int) -> object:
        if depth > 200:
            return UNKNOWN
        deeper = depth + 1
        match node:
            case ast.Constant(value=value):
                return value
            case ast.Name(id=name) if name in self.constants:
                return self._name(name, deeper)
            case ast.NamedExpr(value=value):
                return self.fold(value, deeper)
            case ast.List(elts=elts) | ast.Tuple(elts=elts):
                items = tuple(self.fold(item, deeper) for item in elts)
                return UNKNOWN if UNKNOWN in items else items
            case ast.UnaryOp(op=op, operand=operand):
                return _unary(op, self.fold(operand, deeper))
            case ast.BinOp(left=left, op=op, right=right):
                return _binary(self.fold(left, deeper), op, self.fold(right, deeper))
            case ast.JoinedStr(values=values):
                parts = [
                    self.fold(part.value if isinstance(part, ast.FormattedValue) else part, deeper)
                    for part in values
                ]
                return "".join(map(str, parts)) if UNKNOWN not in parts else UNKNOWN
            case ast.Subscript(value=value, slice=index):
                return self._item(self.fold(value, deeper), index, deeper)
            case ast.Call(func=func, args=args):
                return self._call(func, [self.fold(arg, deeper) for arg in args], deeper)
            case _:
                return UNKNOWN

    def _name(self, name: str, depth: int) -> object:
        """
        Each name is worked out once: one that stands in its own value, or in many others, costs any time.
        """
        if name not in self.known:
            self.known[name] = UNKNOWN
            self.known[name] = self.fold(self.constants[name], depth)
        return self.known[name]

    def _item(self, value: object, index: ast.expr, depth: int) -> object:
        if not isinstance(value, str | bytes | tuple):
            return UNKNOWN
        if isinstance(index, ast.Slice):
            ends = [
                None if end is None else self.fold(end, depth)
                for end in (index.lower, index.upper, index.step)
            ]
            whole = [end for end in ends if end is None or isinstance(end, int)]
            return value[slice(*whole)] if len(whole) == 3 and whole[2] != 0 else UNKNOWN
        place = self.fold(index, depth)
        return value[place] if isinstance(place, int) and -len(value) <= place < len(value) else UNKNOWN

    def _call(self, func: ast.expr, args: list[object], depth: int) -> object:
        if UNKNOWN in args:
            return UNKNOWN
        match func, args:
            case ast.Name(id="chr"), [int(code)] if 0 <= code < 0x110000:
                return chr(code)
            case ast.Name(id="str"), [str(text)]:
                return text
            case ast.Name(id="bytes"), [tuple(codes)] if all(
                isinstance(code, int) and 0 <= code < 256 for code in codes
            ):
                return bytes(code for code in codes if isinstance(code, int))
            case ast.Name(id="reversed"), [str(text)]:
                return tuple(reversed(text))
            case (ast.Attribute(attr="b64decode"), [str() | bytes() as packed]):
                return _b64(packed)
            case (ast.Attribute(attr="decode"), [str(text), "rot13" | "rot_13"]):
                return codecs.decode(text, "rot13")
            case (ast.Attribute(value=owner, attr=method), _):
                return _method(self.fold(owner, depth), method, args)
            case _:
                return UNKNOWN


def _b64(packed: str | bytes) -> object:
    try:
        return base64.b64decode(packed)
    except ValueError:
        return UNKNOWN


def _unary(op: ast.unaryop, value: object) -> object:
    match op, value:
        case ast.Not(), bool() | int() | str() | tuple() | None:
            return not value
        case ast.USub(), int() | float():
            return -value
        case ast.UAdd(), int() | float():
            return value
        case _:
            return UNKNOWN


def _binary(left: object, op: ast.operator, right: object) -> object:
    match op, left, right:
        case ast.Add(), str(), str():
            return left + right if len(left) + len(right) < _LIMIT else UNKNOWN
        case ast.Add(), bytes(), bytes():
            return left + right if len(left) + len(right) < _LIMIT else UNKNOWN
        case ast.Add(), tuple(), tuple():
            return left + right if len(left) + len(right) < _LIMIT else UNKNOWN
        case ast.Mult(), str(), int():
            return left * right if len(left) * right < _LIMIT else UNKNOWN
        case ast.Mod(), str(), _ if right is not UNKNOWN and not _WIDE.search(left):
            try:
                return left % right
            except (TypeError, ValueError):
                return UNKNOWN
        case _:
            return UNKNOWN


def _method(owner: object, method: str, args: list[object]) -> object:
    if not isinstance(owner, str | bytes):
        return UNKNOWN
    match owner, method, args:
        case str(), "join", [tuple(parts)] if all(isinstance(part, str) for part in parts):
            return owner.join(part for part in parts if isinstance(part, str))
        case str(), "join", [str(parts)]:
            return owner.join(parts)
        case str(), "replace", [str(old), str(new)]:
            return owner.replace(old, new)
        case str(), "format", _ if not _WIDE.search(owner):
            try:
                return owner.format(*args)
            except (IndexError, KeyError, ValueError, AttributeError):
                return UNKNOWN
        case bytes(), "fromhex", _:
            return UNKNOWN
        case _, _, [] if method in _NO_ARGUMENTS and hasattr(owner, method):
            return getattr(owner, method)()
        case bytes(), "decode", [str()]:
            return owner.decode("latin-1")
        case _:
            return UNKNOWN
