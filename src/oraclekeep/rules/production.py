"""
What a patch did to production code: which modules changed in earnest, what was deleted, what only renamed.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from oraclekeep.oracles.source import Unparsable, parse

if TYPE_CHECKING:
    from oraclekeep.model import Delta
    from oraclekeep.oracles.source import Sources
    from oraclekeep.rules import Patch


def changed_modules(patch: Patch, production: list[Delta]) -> tuple[str, ...]:
    """
    Return the production files that changed in more than comments and docstrings.
    """
    found = []
    for delta in production:
        if delta.same_bytes:
            continue
        old, new = patch.base.read(delta.path), patch.head.read(delta.path)
        if (
            delta.path.endswith(".py")
            and old is not None
            and new is not None
            and _tree(delta.path, old) == _tree(delta.path, new)
        ):
            continue
        found.append(delta.path)
    return tuple(found)


def _tree(path: str, data: bytes) -> str:
    try:
        return ast.dump(_without_docstrings(parse(path, data)))
    except Unparsable as error:
        return f"{error}{data!r}"


def _without_docstrings(tree: ast.Module) -> ast.Module:
    for node in ast.walk(tree):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            first = node.body[0] if node.body else None
            if (
                isinstance(first, ast.Expr)
                and isinstance(first.value, ast.Constant)
                and isinstance(first.value.value, str)
            ):
                node.body = node.body[1:]
    return tree


def definitions(
    patch: Patch, old: Sources, new: Sources, production: list[Delta]
) -> tuple[frozenset[tuple[str, str]], dict[str, str]]:
    """
    Return what the patch deleted from production code, and what it only renamed.
    """
    gone: dict[tuple[str, str], str] = {}
    come: dict[str, list[str]] = {}
    names_left: set[str] = set()
    renames = {f"pmod:{old}": f"pmod:{new}" for old, new in _moved_modules(patch, production)}
    for delta in production:
        if not delta.path.endswith(".py"):
            continue
        before, after = (_named_definitions(side, delta.path) for side in (old, new))
        names_left |= after.keys()
        gone |= {(delta.path, name): body for name, body in before.items() if name not in after}
        for name, body in after.items():
            if name not in before:
                come.setdefault(body, []).append(name)
    for (path, name), body in sorted(gone.items()):
        fresh = come.get(body, [])
        if len(fresh) == 1 and fresh[0] != name:
            short, new_short = name.rpartition(".")[2], fresh[0].rpartition(".")[2]
            renames |= {f"prod:{short}": f"prod:{new_short}"} if "." not in name else {short: new_short}
            del gone[path, name]
    return frozenset((path, name) for path, name in gone if name not in names_left), renames


def _named_definitions(side: Sources, path: str) -> dict[str, str]:
    module = side.module(path)
    if module is None:
        return {}
    found: dict[str, str] = {}
    for name, nodes in module.defs.items():
        found[name] = _body_of(nodes[-1])
        if isinstance(nodes[-1], ast.ClassDef):
            found |= {
                f"{name}.{one.name}": _body_of(one)
                for one in nodes[-1].body
                if isinstance(one, (ast.FunctionDef, ast.AsyncFunctionDef))
            }
    return found | {
        name: ast.dump(value) for name, value in module.constants.items() if not name.startswith("__")
    }


def _body_of(node: ast.AST) -> str:
    name = getattr(node, "name", "")
    copy = ast.dump(node)
    return copy.replace(f"name='{name}'", "name=''", 1).replace(f"id='{name}'", "id=''")


def _moved_modules(patch: Patch, production: list[Delta]) -> list[tuple[str, str]]:
    gone = {delta.old.oid: delta.path for delta in production if delta.deleted and delta.old is not None}
    return [
        (patch.layout.module_name(gone[delta.new.oid]), patch.layout.module_name(delta.path))
        for delta in production
        if delta.added and delta.new is not None and delta.new.oid in gone
    ]
