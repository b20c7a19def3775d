"""
Does a nodeid name a test of a tree?  Told from syntax trees, since nothing is run.
"""

from __future__ import annotations

import ast
import fnmatch
import posixpath
from typing import TYPE_CHECKING

from oraclekeep.oracles.parsing import Unparsable, last_name, parse
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
    path, names, parameters = nodeid_parts(nodeid)
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
    has_brackets = "[" in nodeid.removeprefix(path)
    return _wrong_brackets(owner, found, has_brackets=has_brackets) or _unknown_case(found, parameters)


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


def _unknown_case(found: list[ast.AST], parameters: str) -> str:
    """
    Each `parametrize` whose ids are written out must have one of them in the brackets.
    """
    marks = [mark for each in found if isinstance(each, _Function) for mark in each.decorator_list]
    for mark in marks if parameters and len(found) == 1 else ():
        ids = _ids(mark) if isinstance(mark, ast.Call) and _is_parametrize(mark) else None
        if ids and not any(f"-{one}-" in f"-{parameters}-" for one in ids):
            return f"names no case of the test: its ids are {', '.join(ids[:5])}"
    return ""


def _ids(mark: ast.Call) -> list[str] | None:
    """
    Return the ids that pytest gives the cases of a `parametrize`; None where they cannot be told.
    """
    given = dict(zip(("argnames", "argvalues"), mark.args, strict=False))
    given |= {key.arg: key.value for key in mark.keywords if key.arg is not None}
    names, rows, labels = given.get("argnames"), given.get("argvalues"), given.get("ids")
    if len(mark.args) > 2 or not isinstance(rows, ast.List | ast.Tuple) or not isinstance(names, ast.expr):
        return None
    try:
        found = ast.literal_eval(names)
        words = ast.literal_eval(labels) if labels is not None else [None] * len(rows.elts)
    except (ValueError, TypeError):
        return None
    args = [one.strip() for one in found.split(",")] if isinstance(found, str) else list(found)
    ids = [_id_of(args, *pair) for pair in zip(rows.elts, words, range(len(rows.elts)), strict=False)]
    certain = [one for one in ids if one]
    return certain if len(set(certain)) == len(rows.elts) else None


def _id_of(args: list[str], row: ast.expr, label: object, index: int) -> str | None:
    values = [row]
    if isinstance(row, ast.Call):
        named = {key.arg: key.value for key in row.keywords}
        if last_name(row.func) != "param" or None in named:
            return None
        values = row.args
        if isinstance(own := named.get("id"), ast.Constant):
            label = own.value
        elif own is not None:
            return None
    elif len(args) > 1:
        values = row.elts if isinstance(row, ast.Tuple | ast.List) else []
    if label is not None:
        return str(label) if isinstance(label, str | int | float) and _is_plain(str(label)) else None
    parts = [_part_of(name, value, index) for name, value in zip(args, values, strict=False)]
    return None if len(parts) != len(args) or None in parts else "-".join(map(str, parts))


def _part_of(name: str, value: ast.expr, index: int) -> str | None:
    if isinstance(value, ast.List | ast.Tuple | ast.Dict | ast.Set):
        return f"{name}{index}"
    if not isinstance(value, ast.Constant) or isinstance(value.value, bytes):
        return None
    return str(value.value) if _is_plain(str(value.value)) else None


def _is_plain(text: str) -> bool:
    return bool(text) and text.isascii() and text.isprintable() and "\\" not in text


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
