"""
What the suite's rules share: both sides' tests, what became of each check, and what was intended.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TYPE_CHECKING

from oraclekeep.match import Matching, match
from oraclekeep.oracles.source import Sources, Unparsable, parse
from oraclekeep.oracles.suite import Side, touched
from oraclekeep.paths import Layout
from oraclekeep.rules.hierarchy import Classes

if TYPE_CHECKING:
    from collections.abc import Iterable

    from oraclekeep.model import Delta
    from oraclekeep.oracles.checks import Facts
    from oraclekeep.oracles.collect import Test
    from oraclekeep.rules import Patch


@dataclass(frozen=True)
class Study:
    """
    Both sides read and matched.
    """

    patch: Patch
    old: Side
    new: Side
    matching: Matching
    renames: dict[str, str]
    shadowed: frozenset[str]
    changed: tuple[str, ...]  # production modules whose syntax tree changed
    deleted: frozenset[tuple[str, str]]  # (production path, name) that base defines and head does not

    def is_intended(self, nodeid: str) -> bool:
        """
        May this test's expectations change?  SPEC §2, row `expectation-rewritten`.
        """
        if self.changed:
            return self.patch.intend_all or all(is_listed(self.patch, path) for path in self.changed)
        reached = self.reach(nodeid)
        return bool(reached) and (
            self.patch.intend_all or all(is_listed(self.patch, path) for path in reached)
        )

    def reach(self, nodeid: str) -> set[str]:
        """
        Return the first-party files that define the names which a test and its fixtures use.
        """
        found = set()
        places = (nodeid, *self.matching.became.get(nodeid, ()))
        for side in (self.old, self.new):
            for place in places:
                facts = side.facts.get(place)
                for use in facts.uses if facts is not None else ():
                    dotted, _, member = use.partition(":")
                    definer = side.sources.defines(dotted, member)
                    if definer is not None:
                        found.add(definer[0])
        return found


def is_listed(patch: Patch, path: str) -> bool:
    """
    Does base's `allow_behavior_change` name the file, in an entry that has not lapsed?
    """
    for entry in patch.policy.intent.allow_behavior_change:
        if entry.expires is not None and entry.expires <= patch.today:
            continue
        if path == entry.path or (entry.path.endswith("/") and path.startswith(entry.path)):
            return True
    return False


def study(patch: Patch) -> Study:
    """
    Read both sides of a patch.  The tests that the patch does not touch are never read.
    """
    head_layout = Layout.of(patch.head, patch.policy)
    return study_of(patch, (patch.layout, head_layout), patch.deltas)


def study_of(patch: Patch, layouts: tuple[Layout, Layout], deltas: Iterable[Delta]) -> Study:
    old, new = touched(patch.base, patch.head, layouts, deltas)
    shadowed = frozenset(
        nodeid
        for nodeid, test in new.collected.items()
        if nodeid in old.facts and _is_shadowed(test, old.collected.get(nodeid))
    )
    facts = {nodeid: one for nodeid, one in old.facts.items() if one.checks}
    later: dict[str, Facts] = {
        f"{nodeid} (later definition)" if nodeid in shadowed else nodeid: one
        for nodeid, one in new.facts.items()
    }
    production = [delta for delta in patch.deltas if patch.layout.is_production(delta.path)]
    deleted, renames = _definitions(patch, production) if facts else (frozenset(), {})
    classes = Classes(old.sources, new.sources, [one for side in (old, new) for one in side.facts.values()])
    return Study(
        patch,
        old,
        new,
        match(facts, later, classes.compare, renames),
        renames,
        shadowed,
        _changed_modules(patch, production),
        frozenset(deleted),
    )


def _is_shadowed(after: Test, before: Test | None) -> bool:
    """
    Does head define the name again after the definition that base collected?
    """
    if before is None:
        return False
    body = after.defined_in.node.body if after.defined_in is not None else after.module.tree.body
    same = [
        node
        for node in body
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.name == after.node.name
    ]
    old_body = before.defined_in.node.body if before.defined_in is not None else before.module.tree.body
    old_same = [
        node
        for node in old_body
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.name == before.node.name
    ]
    return len(same) > len(old_same) >= 1


def _changed_modules(patch: Patch, production: list[Delta]) -> tuple[str, ...]:
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


def _definitions(patch: Patch, production: list[Delta]) -> tuple[set[tuple[str, str]], dict[str, str]]:
    """
    Return what the patch deleted from production code, and what it only renamed.
    """
    gone: dict[tuple[str, str], str] = {}
    come: dict[str, list[str]] = {}
    names_left: set[str] = set()
    renames = {f"pmod:{old}": f"pmod:{new}" for old, new in _moved_modules(patch, production)}
    sides = (Sources(patch.base, patch.layout), Sources(patch.head, patch.layout))
    for delta in production:
        if not delta.path.endswith(".py"):
            continue
        before, after = (_named_definitions(side, delta.path) for side in sides)
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
    return {(path, name) for path, name in gone if name not in names_left}, renames


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
