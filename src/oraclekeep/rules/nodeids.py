"""
Does a nodeid name a test of a tree?  Told from syntax trees, since nothing is run.
"""

from __future__ import annotations

import ast
import fnmatch
import posixpath
from typing import TYPE_CHECKING

from oraclekeep.oracles.parsing import Unparsable, parse
from oraclekeep.policy.ledgers import nodeid_parts

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from oraclekeep.model import Snapshot
    from oraclekeep.paths import Layout

_Function = ast.FunctionDef | ast.AsyncFunctionDef


def missing_test(tree: Snapshot, nodeid: str, layout: Layout) -> str:
    """
    Return why a nodeid names no test, as the end of a sentence; empty where it names one.
    """
    path, names, _ = nodeid_parts(nodeid)
    data = tree.read(path)
    if data is None:
        return f"names no test: there is no file {path}"
    if not path.endswith(".py"):
        return "" if names == (posixpath.basename(path),) else "names no doctest of that file"
    try:
        module = parse(path, data)
    except Unparsable:
        return f"names no test: {path} cannot be parsed"
    if "." in names[-1]:
        return "" if _has_doctest(module, names[-1]) else "names no doctest of that file"
    if not _is_collected(path, layout):
        return f"names no test: pytest does not collect {path}"
    owner, found = _lookup(module, names, tree, path)
    if not found:
        return f"names no test: {path} has no {'::'.join(names)}"
    if not _is_test_name(names[-1], layout, path):
        return f"names no test: pytest does not collect {names[-1]}"
    return _wrong_brackets(owner, found, has_brackets="[" in nodeid.removeprefix(path))


def _is_collected(path: str, layout: Layout) -> bool:
    if layout.is_test_file(path):
        return True
    name = path.rpartition("/")[2]
    return path.startswith("oracle/properties/") and any(
        fnmatch.fnmatchcase(name, each) for each in layout.pytest_of(path).python_files
    )


def _is_test_name(name: str, layout: Layout, path: str) -> bool:
    patterns = ("test", *layout.pytest_of(path).python_functions)
    return any(name.startswith(pattern) or fnmatch.fnmatchcase(name, pattern) for pattern in patterns)


def _wrong_brackets(owner: ast.AST, found: list[ast.AST], *, has_brackets: bool) -> str:
    """
    Parameters need something that takes them, and a parametrized test has no id without them.
    """
    functions = [node for node in found if isinstance(node, _Function)]
    if not functions:  # made by a call, or imported: its parameters are not to be seen here
        return ""
    takes = any(each.args.args or each.args.kwonlyargs or each.decorator_list for each in functions)
    if has_brackets and not takes and not getattr(owner, "decorator_list", ()):
        return "has parameters in brackets, and the test takes none"
    if not has_brackets and all(
        any(_is_parametrize(mark) for mark in each.decorator_list) for each in functions
    ):
        return "names a parametrized test as a whole; write one row for each id in brackets"
    return ""


def _is_parametrize(mark: ast.expr) -> bool:
    return (
        isinstance(mark, ast.Call)
        and isinstance(mark.func, ast.Attribute)
        and mark.func.attr == "parametrize"
    )


def _lookup(
    module: ast.Module, names: tuple[str, ...], tree: Snapshot, path: str
) -> tuple[ast.AST, list[ast.AST]]:
    """
    Follow names through classes; return the last scope and what bears the last name in it.
    """
    scope: ast.Module | ast.ClassDef = module
    for name in names[:-1]:
        inner = next((node for node in _bound(scope, name) if isinstance(node, ast.ClassDef)), None)
        if inner is None:
            return scope, []
        scope = inner
    found = list(_bound(scope, names[-1]))
    if not found and isinstance(scope, ast.ClassDef) and scope.bases:
        found = list(_inherited(module, names[-1], tree, path))
    return scope, found


def _bound(scope: ast.Module | ast.ClassDef, name: str) -> Iterator[ast.AST]:
    """
    Yield what gives a name a value that pytest could collect, also below `if`, `try` and `with`.
    """
    for node in _statements(scope.body):
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef() if node.name == name:
                yield node
            case ast.Assign(targets=targets) if any(
                isinstance(each, ast.Name) and each.id == name for each in targets
            ):
                yield node
            case ast.ImportFrom(names=aliases) if any((each.asname or each.name) == name for each in aliases):
                yield node
            case _:
                pass


def _statements(body: Iterable[ast.stmt]) -> Iterator[ast.stmt]:
    for node in body:
        yield node
        if isinstance(node, ast.If | ast.Try | ast.With):
            inner = [node.body, getattr(node, "orelse", []), getattr(node, "finalbody", [])]
            inner += [handler.body for handler in getattr(node, "handlers", [])]
            for block in inner:
                yield from _statements(block)


def _inherited(module: ast.Module, name: str, tree: Snapshot, path: str) -> Iterator[ast.AST]:
    """
    Yield methods of that name in any class of the file, or of a module of this repository that it imports.
    """
    for source in (module, *_imported(module, tree, path)):
        for node in ast.walk(source):
            if isinstance(node, ast.ClassDef):
                yield from (each for each in _bound(node, name) if isinstance(each, _Function))


def _imported(module: ast.Module, tree: Snapshot, path: str) -> Iterator[ast.Module]:
    folder = posixpath.dirname(path)
    for node in ast.walk(module):
        if isinstance(node, ast.ImportFrom):
            stem = (node.module or "").replace(".", "/")
            around = folder
            for _ in range(node.level - 1):
                around = posixpath.dirname(around)
            places = [around] if node.level else ["", folder, "src", *_parents(folder)]
            stems = [stem, *(f"{stem}/{alias.name}".lstrip("/") for alias in node.names)]
        elif isinstance(node, ast.Import):
            places, stems = (
                ["", folder, "src", *_parents(folder)],
                [alias.name.replace(".", "/") for alias in node.names],
            )
        else:
            continue
        for file in {
            posixpath.join(place, f"{each}{end}")
            for place in places
            for each in stems
            for end in (".py", "/__init__.py")
        }:
            if (data := tree.read(file)) is not None:
                try:
                    yield parse(file, data)
                except Unparsable:
                    continue


def _parents(folder: str) -> Iterator[str]:
    while folder := posixpath.dirname(folder):
        yield folder


def _has_doctest(module: ast.Module, dotted: str) -> bool:
    last = dotted.rpartition(".")[2]
    documented = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    nodes = [
        module,
        *(node for node in ast.walk(module) if isinstance(node, documented) and node.name == last),
    ]
    return any(">>>" in (ast.get_docstring(node, clean=False) or "") for node in nodes)
