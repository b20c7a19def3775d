"""
Bytes become a syntax tree, as Python itself would read them.
"""

from __future__ import annotations

import ast
import functools
import io
import re
import tokenize
import warnings
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence


class Unparsable(Exception):  # noqa: N818  # no failure of ours: reported as a finding, or as exit 2 for newer syntax
    """
    A Python file that is not Python, with its line and the parser's words.
    """

    def __init__(self, path: str, line: int, words: str, *, newer: bool) -> None:
        super().__init__(f"{path}:{line}: {words}")
        self.path, self.line, self.words, self.newer = path, line, words, newer


def parse(path: str, data: bytes) -> ast.Module:
    """
    Parse bytes, honouring a byte order mark and a coding cookie.  The tree is shared: nobody changes it.

    Raises `Unparsable`.
    """
    return _parse(path, data)


@functools.lru_cache(maxsize=4096)
def _parse(path: str, data: bytes) -> ast.Module:
    """
    Several readers want the same file; its bytes say all there is to know.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a bad escape in the user's file is not our warning
            return ast.parse(data, filename=path)
    except SyntaxError as error:
        line = error.lineno or 1
        raise Unparsable(path, line, error.msg, newer=_is_newer(data, line)) from error
    except (ValueError, RecursionError, MemoryError) as error:
        raise Unparsable(path, 1, str(error) or type(error).__name__, newer=False) from error


#: Fields that never hold syntax below them, or none that a reader asks for on its own.
_BARE: Final = frozenset(
    {"ctx", "op", "ops", "id", "attr", "arg", "module", "level", "lineno", "kind", "type_comment"}
)


#: For each kind of node the fields that lead further down.
_INNER: Final = {
    kind: () if kind is ast.Constant else tuple(name for name in kind._fields if name not in _BARE)
    for kind in vars(ast).values()
    if isinstance(kind, type) and issubclass(kind, ast.AST)
}


def below(node: ast.AST) -> list[ast.AST]:
    """
    Return a node and all below it, outermost first, as `ast.walk` does but for operators and contexts.

    Trees are walked more than anything else is done; this is less than half of `ast.walk`'s time.
    """
    found = [node]
    add = found.append
    for one in found:
        for name in _INNER[one.__class__]:
            value = getattr(one, name)
            if value.__class__ is list:
                for item in value:
                    if isinstance(item, ast.AST):
                        add(item)
            elif isinstance(value, ast.AST):
                add(value)
    return found


def last_name(node: ast.AST | None) -> str:
    """
    Return the last part of a dotted name, as it is written; nothing for any other expression.
    """
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


def fails(body: Sequence[ast.stmt]) -> bool:
    """
    Return whether a block ends in an explicit failure.
    """
    match body[-1] if body else None:
        case ast.Expr(value=ast.Call(func=func)):
            return last_name(func) == "fail"
        case ast.Raise(exc=ast.Call(func=made) | made):
            return last_name(made) == "AssertionError"
        case ast.Assert(test=ast.Constant(value=False | 0)):
            return True
        case _:
            return False


#: Syntax of Python versions after 3.11; a kit that runs on an older one cannot judge such a file.
_NEWER: Final = re.compile(
    r"""^\s*(type\s+\w+.*=|(async\s+)?def\s+\w+\[|class\s+\w+\[|except\s+\w[\w.]*\s*,\s*\w[\w.]*.*:)|\bt["']|\{[^}'"]*(["'])[^}]*\1[^}]*\}""",
    re.VERBOSE,
)


def _is_newer(data: bytes, line: int) -> bool:
    lines = text_of(data).splitlines()
    return any(_NEWER.search(text) for text in lines[max(0, line - 2) : line])


def text_of(data: bytes) -> str:
    """
    Decode a source file as Python would; bytes that do not fit become replacement characters.
    """
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
    except SyntaxError:
        encoding = "utf-8"
    return data.decode(encoding, "replace").replace("\r\n", "\n").replace("\r", "\n")


def same_code(one: object, other: object, *, documented: bool = True) -> bool:
    """
    Return whether two trees, or two lists of them, are the same code wherever they stand.

    Docstrings count, unless ``documented`` is false.
    """
    if type(one) is not type(other):
        return False  # 1 and True are not the same code
    if isinstance(one, list) and isinstance(other, list):
        pairs = zip(one, other, strict=False)
        return len(one) == len(other) and all(same_code(*pair, documented=documented) for pair in pairs)
    if not (isinstance(one, ast.AST) and isinstance(other, ast.AST)):
        return one == other
    field = getattr if documented else _undocumented
    return all(
        same_code(field(one, name, None), field(other, name, None), documented=documented)
        for name in one._fields
    )


def _undocumented(node: ast.AST, name: str, default: object) -> object:
    value: object = getattr(node, name, default)
    holder = isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef))
    if holder and name == "body" and isinstance(value, list) and value:
        first = value[0]
        if (
            isinstance(first, ast.Expr)
            and isinstance(first.value, ast.Constant)
            and isinstance(first.value.value, str)
        ):
            return value[1:]
    return value
