"""
What a patch did to production code: which modules changed in earnest, what was deleted, what only renamed.
"""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from typing import TYPE_CHECKING, Final

from oraclekeep.oracles.dumping import plain_form
from oraclekeep.oracles.parsing import Unparsable, parse, same_code

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from oraclekeep.model import Delta
    from oraclekeep.oracles.source import Sources
    from oraclekeep.rules import Patch


#: A body -> the definitions that have it, each with the names in it that came with the patch.
_Bodies = dict[str, list[tuple[str, tuple[str, ...]]]]


def production_deltas(patch: Patch) -> list[Delta]:
    return [delta for delta in patch.deltas if patch.layout.is_production(delta.path)]


def changed_modules(patch: Patch) -> tuple[str, ...]:
    """
    Return the production files that changed in more than comments and docstrings.
    """
    found = []
    for delta in production_deltas(patch):
        if delta.same_bytes:
            continue
        old, new = patch.base.read(delta.path), patch.head.read(delta.path)
        if (
            delta.path.endswith(".py")
            and old is not None
            and new is not None
            and _same_file(delta.path, old, new)
        ):
            continue
        found.append(delta.path)
    return tuple(found)


def _same_file(path: str, old: bytes, new: bytes) -> bool:
    """
    Return whether two files are the same code but for docstrings, comments and layout.
    """
    try:
        return same_code(parse(path, old), parse(path, new), documented=False)
    except Unparsable:
        return old == new


def definitions(
    patch: Patch, old: Sources, new: Sources
) -> tuple[frozenset[tuple[str, str]], dict[str, str]]:
    """
    Return what the patch deleted from production code, and what it only renamed.
    """
    production = production_deltas(patch)
    gone: dict[tuple[str, str], ast.AST] = {}
    fresh: list[tuple[str, ast.AST]] = []
    stood: set[str] = set()
    names_left: set[str] = set()
    renames = {f"pmod:{before}": f"pmod:{after}" for before, after in _moved_modules(patch, production)}
    for delta in production:
        if not delta.path.endswith(".py"):
            continue
        before, after = (_named_definitions(side, delta.path) for side in (old, new))
        stood |= before.keys()
        names_left |= after.keys()
        renames |= _synonyms(before, after)
        gone |= {(delta.path, name): node for name, node in before.items() if name not in after}
        fresh += [(name, node) for name, node in after.items() if name not in before]
    went = _shorts(name for _, name in gone) - _shorts(names_left)
    came = _shorts(name for name, _ in fresh) - _shorts(stood)
    for (path, name), twin in _twins(gone, fresh, went, came).items():
        short, new_short = name.rpartition(".")[2], twin.rpartition(".")[2]
        renames |= {f"prod:{short}": f"prod:{new_short}"} if "." not in name else {short: new_short}
        del gone[path, name]
    deleted = frozenset((path, name) for path, name in gone if name not in names_left)
    return deleted, {one: other for one, other in renames.items() if one != other}


def _twins(
    gone: Mapping[tuple[str, str], ast.AST],
    fresh: Sequence[tuple[str, ast.AST]],
    went: set[str],
    came: set[str],
) -> dict[tuple[str, str], str]:
    """
    Return the new names of what has the same body, where the names that changed in it changed alike.
    """
    come = _by_body(fresh if gone else (), came)
    plain: dict[tuple[object, ...], _Bodies] = {}
    found: dict[tuple[str, str], tuple[str, list[tuple[str, str]]]] = {}
    for place, node in sorted(gone.items(), key=lambda item: item[0]) if come else ():
        text, named = _body_of(node, went)
        twins = come.get(text, [])
        if not twins and (shape := _shape(node)) is not None:
            # Hints and docstrings came or went with the name, or parameters were renamed.
            if shape not in plain:
                alike = ((name, plain_form(other)) for name, other in fresh if _shape(other) == shape)
                plain[shape] = _by_body(alike, came)
            text, named = _body_of(plain_form(node), went)
            twins = plain[shape].get(text, [])
        if len(twins) == 1 and twins[0][0] != place[1]:
            found[place] = (twins[0][0], list(zip(named, twins[0][1], strict=True)))
    while found:
        known = {(_short(name), _short(twin)) for (_, name), (twin, _) in found.items()}
        wrong = [place for place, (_, pairs) in found.items() if not known.issuperset(pairs)]
        if not wrong:
            break
        for place in wrong:
            del found[place]
    return {place: twin for place, (twin, _) in found.items()}


def _by_body(definitions: Iterable[tuple[str, ast.AST]], came: set[str]) -> _Bodies:
    found: _Bodies = defaultdict(list)
    for name, node in definitions:
        text, named = _body_of(node, came)
        found[text].append((name, named))
    return found


def _shape(node: ast.AST) -> tuple[object, ...] | None:
    """
    Return what two definitions have in common that differ in hints, docstrings and parameters' names alone.
    """
    if not isinstance(node, (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
        return None
    length = len(node.body) - (len(node.body) > 1 and ast.get_docstring(node, clean=False) is not None)
    spec = getattr(node, "args", None)
    return type(node), length, len(spec.args) if spec is not None else 0


def _synonyms(before: Mapping[str, ast.AST], after: Mapping[str, ast.AST]) -> dict[str, str]:
    """
    A name that only stands for a new one now was renamed, whatever else changed.
    """
    return {
        f"prod:{name}": f"prod:{node.id}"
        for name, node in after.items()
        if isinstance(node, ast.Name)
        and node.id in after
        and node.id not in before
        and isinstance(before.get(name), (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef))
    }


def _named_definitions(side: Sources, path: str) -> dict[str, ast.AST]:
    module = side.module(path)
    if module is None:
        return {}
    found: dict[str, ast.AST] = {}
    for name, nodes in module.defs.items():
        found[name] = nodes[-1]
        if isinstance(nodes[-1], ast.ClassDef):
            found |= {
                f"{name}.{one.name}": one
                for one in nodes[-1].body
                if isinstance(one, (ast.FunctionDef, ast.AsyncFunctionDef))
            }
    return found | {name: value for name, value in module.constants.items() if not name.startswith("__")}


def _short(name: str) -> str:
    return name.rpartition(".")[2]


def _shorts(names: Iterable[str]) -> set[str]:
    return set(map(_short, names))


def _body_of(node: ast.AST, others: set[str]) -> tuple[str, tuple[str, ...]]:
    """
    Return a definition's body as a text in which its own name says nothing, nor those that change with it.

    The latter come along, in their order.
    """
    name = getattr(node, "name", "")
    copy = ast.dump(node)
    copy = copy.replace(f"name='{name}'", "name=''", 1).replace(f"id='{name}'", "id=''")
    named: list[str] = []

    def blank(found: re.Match[str]) -> str:
        if found[2] not in others:
            return found[0]
        named.append(found[2])
        return f"{found[1]}=''"

    return (_NAMED.sub(blank, copy), tuple(named)) if others else (copy, ())


_NAMED: Final = re.compile(r"\b(name|id|attr)='(\w+)'")


def _moved_modules(patch: Patch, production: list[Delta]) -> list[tuple[str, str]]:
    gone = {delta.old.oid: delta.path for delta in production if delta.deleted and delta.old is not None}
    return [
        (patch.layout.module_name(gone[delta.new.oid]), patch.layout.module_name(delta.path))
        for delta in production
        if delta.added and delta.new is not None and delta.new.oid in gone
    ]
