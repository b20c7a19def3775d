"""
Which Python files of a tree pytest loads as plugins: conftests, and modules named anywhere that counts.
"""

from __future__ import annotations

import ast
import configparser
import re
import tomllib
from typing import TYPE_CHECKING, Any, Final

from oraclekeep.machinery.places import text_of
from oraclekeep.machinery.pysource import load_or_none, module_path
from oraclekeep.machinery.settings import settings_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from oraclekeep.machinery.pysource import PyFile
    from oraclekeep.model import Snapshot
    from oraclekeep.paths import Layout

_NAMED_IN_CI: Final = re.compile(
    r"(?:\s-p[ =]?[\"']?|PYTEST_PLUGINS[\"']?\s*[:=]\s*[\"']?)([A-Za-z_][\w.]*(?:,[A-Za-z_][\w.]*)*)"
)
_ENTRY: Final = re.compile(r"^\s*[\w.-]+\s*=\s*([\w.]+)", re.MULTILINE)


def plugin_paths(
    tree: Snapshot, layout: Layout, machinery: Iterable[str] = (), tests: Iterable[str] | None = None
) -> frozenset[str]:
    """
    Return the files that pytest would load as plugins; ``machinery`` are CI files to search for `-p` as well.

    Every test file is asked for `pytest_plugins`, or only those of ``tests``.
    """
    queue = [
        path
        for path in tree.under("")
        if path.rpartition("/")[2] == "conftest.py" and not layout.is_frozen(path)
    ]
    asked = [path for path in (tree.under("") if tests is None else tests) if layout.is_test_file(path)]
    named = [*_from_settings(tree), *_from_entry_points(tree)]
    for path in machinery:
        named += [name for found in _NAMED_IN_CI.findall(text_of(tree, path)) for name in found.split(",")]
    queue += [place for name in named if (place := module_path(tree, name)) is not None]
    for path in asked:
        if b"pytest_plugins" in (tree.read(path) or b""):
            module = load_or_none(tree, path)
            queue += _followed(tree, module) if module is not None else []
    found: set[str] = set()
    while queue:
        path = queue.pop()
        if path not in found:
            found.add(path)
            module = load_or_none(tree, path)
            queue += _followed(tree, module) if module is not None else []
    return frozenset(found)


def _from_settings(tree: Snapshot) -> Iterator[str]:
    for name in settings_of(tree).options.values("-p"):
        if not name.startswith("no:"):
            yield name


def _from_entry_points(tree: Snapshot) -> Iterator[str]:
    text = text_of(tree, "pyproject.toml")
    if "pytest11" in text:
        try:
            document: dict[str, Any] = tomllib.loads(text)
        except tomllib.TOMLDecodeError:
            document = {}
        for table in (
            document.get("project", {}).get("entry-points", {}),
            document.get("tool", {}).get("poetry", {}).get("plugins", {}),
        ):
            yield from (str(value).partition(":")[0] for value in table.get("pytest11", {}).values())
    text = text_of(tree, "setup.cfg")
    if "pytest11" in text:
        parser = configparser.RawConfigParser(strict=False)
        try:
            parser.read_string(text)
        except configparser.Error:
            return
        yield from _ENTRY.findall(parser.get("options.entry_points", "pytest11", fallback=""))
    text = text_of(tree, "setup.py")
    if "pytest11" in text:
        yield from re.findall(r"[\"'][\w.-]+\s*=\s*([\w.]+)[\"']", text[text.index("pytest11") :])


def _followed(tree: Snapshot, module: PyFile) -> list[str]:
    """
    Return the repository's modules that a plugin names or takes hooks from.
    """
    names: list[str] = []
    assigned = [(target, node.value) for node in module.of(ast.Assign) for target in node.targets]
    assigned += [(one.target, one.value) for one in module.of(ast.AugAssign)]
    assigned += [(one.target, one.value) for one in module.of(ast.AnnAssign) if one.value is not None]
    for target, value in assigned:
        if isinstance(target, ast.Name) and target.id == "pytest_plugins":
            names += module.texts(value)
    for source in module.of(ast.ImportFrom):
        if any(alias.name == "*" or alias.name.startswith("pytest_") for alias in source.names):
            names.append("." * source.level + (source.module or ""))
    for call in module.of(ast.Call):
        if isinstance(call.func, ast.Attribute) and call.func.attr in {"import_plugin", "register"}:
            names += [text for arg in call.args for text in module.texts(arg)]
            names += [module.dotted(arg) for arg in call.args if isinstance(arg, ast.Name)]
    found = (module_path(tree, name, importer=module.path) for part in names for name in part.split(","))
    return [path for path in found if path is not None]
