"""
Test files taken apart for editing by a program: their tests, and the checks in them.

An edit takes a source of random choices and the text of one test file, and returns the files that take its
place (by name; the edited file itself is `""`), or None where it finds nothing to edit.  `honest_edits` and
`weakenings` hold the edits; none of them knows the scorer.
"""

from __future__ import annotations

import ast
import copy
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from random import Random

Files = dict[str, str]
Edit = Callable[[Random, str], Files | None]
Function = ast.FunctionDef | ast.AsyncFunctionDef


def is_test(node: ast.AST) -> bool:
    return isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.name.startswith("test")


@dataclass(frozen=True)
class Home:
    """
    A test function and the list of statements that holds it; ``owner`` is its class, if any.
    """

    node: Function
    siblings: list[ast.stmt]
    owner: ast.ClassDef | None = None

    @property
    def is_plain(self) -> bool:
        """
        A function of the module that takes nothing, under no decorator and not async.
        """
        node = self.node
        return (
            self.owner is None
            and isinstance(node, ast.FunctionDef)
            and not node.decorator_list
            and not ast.unparse(node.args)
        )


def homes(tree: ast.Module) -> list[Home]:
    """
    Return every test that stands at the top of the module or of one of its `Test…` classes.
    """
    found = []
    for node in tree.body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and is_test(node):
            found.append(Home(node, tree.body))
        elif isinstance(node, ast.ClassDef) and is_collected(node):
            found += [
                Home(inner, node.body, node)
                for inner in node.body
                if isinstance(inner, (ast.FunctionDef, ast.AsyncFunctionDef)) and is_test(inner)
            ]
    return found


def is_collected(node: ast.ClassDef) -> bool:
    return node.name.startswith("Test") or any(ast.unparse(base).endswith("TestCase") for base in node.bases)


@dataclass(frozen=True)
class Site:
    """
    One check written as a statement: where it stands, and in which test.
    """

    block: list[ast.stmt]
    index: int
    home: Home

    @property
    def node(self) -> ast.stmt:
        return self.block[self.index]


def sites(tree: ast.Module) -> list[Site]:
    """
    Return the checks of the tests that no other check of the file repeats.
    """
    found = [
        Site(block, index, home)
        for home in homes(tree)
        if not any(
            "skip" in ast.unparse(one) or "xfail" in ast.unparse(one) for one in home.node.decorator_list
        )
        for block in _blocks(home.node.body)
        for index, node in enumerate(block)
        if is_check(node)
    ]
    texts = Counter(ast.unparse(site.node) for site in found)
    return [site for site in found if texts[ast.unparse(site.node)] == 1]


def _blocks(body: list[ast.stmt]) -> Iterator[list[ast.stmt]]:
    """
    Yield a body and the bodies of its loops and `with` statements, where checks still run.
    """
    yield body
    for node in body:
        if isinstance(node, (ast.For, ast.With)) and not _expects_error(node):
            yield from _blocks(node.body)


def _expects_error(node: ast.stmt) -> bool:
    return isinstance(node, ast.With) and any(
        "raises" in ast.unparse(item.context_expr).lower()
        or "warns" in ast.unparse(item.context_expr).lower()
        for item in node.items
    )


def is_check(node: ast.stmt) -> bool:
    if isinstance(node, ast.Assert):
        return not isinstance(node.test, ast.Constant)
    if (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Call)
        and isinstance(node.value.func, ast.Attribute)
    ):
        return node.value.func.attr.startswith("assert")
    return isinstance(node, ast.With) and _expects_error(node) and len(node.items) == 1


def equality(node: ast.stmt) -> tuple[ast.expr, ast.expr] | None:
    """
    Return the subject and the expected value of `assert a == b` or `self.assertEqual(a, b)`.
    """
    sides: list[ast.expr] = []
    if (
        isinstance(node, ast.Assert)
        and isinstance(node.test, ast.Compare)
        and isinstance(node.test.ops[0], ast.Eq)
    ):
        sides = [node.test.left, *node.test.comparators]
    elif (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Call)
        and ast.unparse(node.value.func) == "self.assertEqual"
    ):
        sides = node.value.args
    if len(sides) != 2 or any(isinstance(side, (ast.Await, ast.Yield)) for side in sides):
        return None
    first, second = sides
    return (second, first) if is_literal(first) else (first, second)


def is_literal(node: ast.expr) -> bool:
    try:
        ast.literal_eval(node)
    except ValueError:
        return False
    return True


def text(tree: ast.AST) -> str:
    return ast.unparse(ast.fix_missing_locations(tree)) + "\n"


def statement(source: str) -> ast.stmt:
    return ast.parse(source).body[0]


def only(tree: ast.AST) -> Files:
    return {"": text(tree)}


def taken_names(tree: ast.AST) -> set[str]:
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)} | {
        node.name
        for node in ast.walk(tree)
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))
    }


class Rename(ast.NodeTransformer):
    """
    Put other names, or other values, in the place of names.
    """

    def __init__(self, table: Mapping[str, str | ast.expr]) -> None:
        self._table = table

    def visit_Name(self, node: ast.Name) -> ast.expr:  # ast's own spelling
        new = self._table.get(node.id)
        if new is None:
            return node
        return ast.Name(new, node.ctx) if isinstance(new, str) else copy.deepcopy(new)


def locals_of(node: Function) -> list[str]:
    """
    Return the names that a function without inner scopes assigns.
    """
    if any(
        isinstance(
            one,
            (
                ast.FunctionDef,
                ast.Lambda,
                ast.ClassDef,
                ast.Global,
                ast.Nonlocal,
                ast.comprehension,
                ast.Import,
                ast.ImportFrom,
                ast.Match,
            ),
        )
        for one in ast.walk(node)
        if one is not node
    ):
        return []
    return sorted(
        {one.id for one in ast.walk(node) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)}
    )


def replace_in(root: ast.AST, old: ast.expr, new: ast.expr) -> None:
    for parent in ast.walk(root):
        for name, value in ast.iter_fields(parent):
            if value is old:
                setattr(parent, name, new)
            elif isinstance(value, list) and any(item is old for item in value):
                value[:] = [new if item is old else item for item in value]


def literal_cases(node: Function) -> tuple[list[str], ast.List] | None:
    """
    Read a single `@pytest.mark.parametrize("a, b", [(1, 2), …])` of literals.
    """
    if len(node.decorator_list) != 1 or node.args.defaults:
        return None
    mark = node.decorator_list[0]
    if not (
        isinstance(mark, ast.Call)
        and ast.unparse(mark.func) == "pytest.mark.parametrize"
        and len(mark.args) == 2
        and not mark.keywords
    ):
        return None
    words, values = mark.args
    if not (
        is_literal(words) and isinstance(values, ast.List) and len(values.elts) > 1 and is_literal(values)
    ):
        return None
    named = ast.literal_eval(words)
    names = [part.strip() for part in named.split(",")] if isinstance(named, str) else list(named)
    return names, values


def first_place(tree: ast.Module) -> int:
    return max(
        (
            index + 1
            for index, node in enumerate(tree.body)
            if isinstance(node, ast.ImportFrom) and node.module == "__future__"
        ),
        default=1 if ast.get_docstring(tree) is not None else 0,
    )
