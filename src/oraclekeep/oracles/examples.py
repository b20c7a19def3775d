"""
Doctest examples: a statement in a docstring or a text file, and what it must print.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from oraclekeep.oracles.parsing import Unparsable, last_name, parse, text_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_DOCUMENTED: Final = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


@dataclass(frozen=True)
class Example:
    """
    One example.  ``wanted`` is what it must print, or the error it must end in; empty for a statement.
    """

    nodeid: str
    path: str
    line: int
    source: str
    wanted: str
    options: frozenset[str] = frozenset()  # doctest's names of those that are on
    meaning: str = ""  # the statement with the literals that names stand for, where that can be told

    @property
    def is_skipped(self) -> bool:
        return "SKIP" in self.options

    @property
    def looseness(self) -> int:
        """
        Return in how many ways the example takes more than the text it shows.
        """
        marks = self.wanted.count("...") if "ELLIPSIS" in self.options else 0
        return marks + ("IGNORE_EXCEPTION_DETAIL" in self.options)

    def accepts(self, text: str) -> bool:
        """
        Return whether this example would have taken a text that another one asks for.
        """
        if "ELLIPSIS" not in self.options:
            return self.wanted == text
        parts = [re.escape(part) for part in self.wanted.split("...")]
        return re.fullmatch(".*".join(parts), text, re.DOTALL) is not None


def examples_in(path: str, data: bytes, flags: tuple[str, ...]) -> list[Example]:
    """
    Read a file's examples in order; ``flags`` are the options that the configuration sets for all of them.

    A module is read docstring by docstring, any other file as one text.  What doctest itself would refuse
    has no examples.
    """
    found: list[Example] = []
    texts = list(_texts(path, data))
    if not texts:
        return found
    import doctest  # noqa: PLC0415  # it brings a debugger along, and few patches touch an example

    named = doctest.OPTIONFLAGS_BY_NAME
    options = {named[flag]: True for flag in flags if flag in named}
    for nodeid, text, line in texts:
        try:
            parsed = doctest.DocTestParser().get_examples(text)
        except ValueError:
            continue
        held: dict[str, ast.expr] = {}
        for one in parsed:
            merged: dict[int, bool] = options | one.options
            wanted = one.exc_msg if one.exc_msg is not None else one.want
            on = frozenset(flag for flag, number in named.items() if merged.get(number))
            meaning = _meaning(one.source, held)
            found.append(Example(nodeid, path, line + one.lineno, one.source, wanted, on, meaning))
    return found


def _meaning(source: str, held: dict[str, ast.expr]) -> str:
    """
    Return a statement with literals in the place of the names that hold them, and note what it names itself.
    """
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError):
        return source
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            held.pop(node.id, None)
    match tree.body:
        case [ast.Assign(targets=[ast.Name(id=name)], value=value)] if _is_literal(value):
            held[name] = value
        case [ast.Expr()] if held:
            return ast.unparse(_Spelling(held).visit(tree))
        case _:
            pass
    return source


def _is_literal(node: ast.expr) -> bool:
    try:
        ast.literal_eval(node)
    except (ValueError, TypeError):
        return False
    return True


class _Spelling(ast.NodeTransformer):
    """
    Puts literals in the place of names.
    """

    def __init__(self, held: Mapping[str, ast.expr]) -> None:
        self.held = held

    def visit_Name(self, node: ast.Name) -> ast.AST:  # the name is ast's
        return self.held.get(node.id, node)


def literal_call(source: str) -> tuple[str, tuple[object, ...]] | None:
    """
    Return the name and the arguments of a call that is given literals by their places, or None.
    """
    try:
        node = ast.parse(source.strip(), mode="eval").body
        if isinstance(node, ast.Call) and not node.keywords and (name := last_name(node.func)):
            return name, tuple(ast.literal_eval(one) for one in node.args)
    except (SyntaxError, ValueError, TypeError):
        pass
    return None


def _texts(path: str, data: bytes) -> Iterator[tuple[str, str, int]]:
    if not path.endswith(".py"):
        yield f"{path}::{path.rpartition('/')[2]}", text_of(data).replace("\r\n", "\n"), 1
        return
    try:
        tree = parse(path, data)
    except Unparsable:
        return
    stem = path.removesuffix(".py").removesuffix("/__init__").rpartition("/")[2]
    yield from _docstrings(tree, f"{path}::{stem}")


def _docstrings(node: ast.AST, label: str) -> Iterator[tuple[str, str, int]]:
    if isinstance(node, _DOCUMENTED) and node.body:
        match node.body[0]:
            case ast.Expr(value=ast.Constant(value=str(text)) as constant) if ">>>" in text:
                yield label, text, constant.lineno
            case _:
                pass
    for one in ast.iter_child_nodes(node):
        if isinstance(one, _DOCUMENTED):
            yield from _docstrings(one, f"{label}.{one.name}" if not isinstance(one, ast.Module) else label)
        elif isinstance(one, (ast.If, ast.Try)):
            yield from _docstrings(one, label)


def shape(source: str, renames: Mapping[str, str]) -> tuple[str, tuple[str, ...]]:
    """
    Return what a statement does apart from its constants, and those; layout and comments do not count.

    ``renames`` are names that the patch only renamed: `prod:old` -> `prod:new`.
    """
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError):
        return source, ()
    bare = _Bare(renames)
    return ast.dump(bare.visit(tree)), tuple(bare.constants)


class _Bare(ast.NodeTransformer):
    """
    Blanks constants, and gives renamed names their new spelling.
    """

    def __init__(self, renames: Mapping[str, str]) -> None:
        self.renames = renames
        self.constants: list[str] = []

    def visit(self, node: ast.AST) -> ast.AST:
        if isinstance(node, (ast.Constant, ast.List, ast.Tuple, ast.Dict, ast.Set)):
            try:
                self.constants.append(repr(ast.literal_eval(node)))
            except (ValueError, TypeError):
                return self.generic_visit(node)
            return ast.Constant(None)
        match node:
            case ast.Name():
                node.id = self._spelt(node.id)
            case ast.Attribute():
                node.attr = self._spelt(node.attr)
            case ast.alias():
                node.name = self._spelt(node.name)
            case _:
                pass
        return self.generic_visit(node)

    def _spelt(self, name: str) -> str:
        return self.renames.get(f"prod:{name}", self.renames.get(name, name)).removeprefix("prod:")


def called(source: str) -> str:
    """
    Return the first name that a statement calls, or an empty string.
    """
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError):
        return ""
    calls = (node.func for node in ast.walk(tree) if isinstance(node, ast.Call))
    return next((ast.unparse(one).rpartition(".")[2] for one in calls), "")
