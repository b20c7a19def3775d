"""
Which tests a patch touches: in their own text, or through what they stand on.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from oraclekeep.model import PowerShift
from oraclekeep.oracles.collect import Test, tests_in
from oraclekeep.oracles.extract import facts_of
from oraclekeep.oracles.fixtures import fixture_of
from oraclekeep.oracles.namesakes import namesakes

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from oraclekeep.model import Delta
    from oraclekeep.oracles.checks import Facts
    from oraclekeep.oracles.module import Import, Module
    from oraclekeep.oracles.source import Sources
    from oraclekeep.paths import Layout


@dataclass
class Side:
    """
    One side's touched tests, and every collected test of the affected files.
    """

    sources: Sources
    collected: dict[str, Test] = field(default_factory=dict)
    facts: dict[str, Facts] = field(default_factory=dict)
    asked: dict[str, set[str]] = field(default_factory=dict)  # nodeid -> names that could have been respelled

    def read(self, nodeid: str, *, write_out: bool = True) -> None:
        self.sources.asked = set()
        self.facts[nodeid] = facts_of(self.sources, self.collected[nodeid], write_out=write_out)
        self.asked[nodeid] = self.sources.asked

    def live(self) -> Iterator[tuple[str, str]]:
        """
        Yield the nodeid and the kind of every check that can fail.
        """
        for nodeid, one in self.facts.items():
            yield from ((nodeid, str(check.kind)) for check in one.checks if not check.dead)


def power_between(old: Side, new: Side) -> PowerShift:
    """
    Count the oracles of both sides' touched tests.
    """
    before, after = list(old.live()), list(new.live())
    return PowerShift(
        len(before),
        len(after),
        _difference((kind for _, kind in before), (kind for _, kind in after)),
        _difference((nodeid for nodeid, _ in before), (nodeid for nodeid, _ in after)),
    )


def _difference(before: Iterable[str], after: Iterable[str]) -> dict[str, int]:
    left = Counter(after)
    left.subtract(before)
    return {name: count for name, count in sorted(left.items()) if count}


def suite_paths(layouts: tuple[Layout, Layout], deltas: Iterable[Delta]) -> list[str]:
    """
    Return the changed files that belong to the suite on either side.
    """
    return [
        delta.path
        for delta in deltas
        if not delta.same_bytes
        and any(layout.is_suite(delta.path) or layout.is_stray_test(delta.path) for layout in layouts)
    ]


def _is_test(sources: Sources, path: str) -> bool:
    return sources.layout.is_test_file(path) or sources.layout.is_stray_test(path)


def read_respelled(old: Side, new: Side, renames: dict[str, str]) -> None:
    """
    Read the tests anew that mention a name which the patch only renamed; both sides in the new spelling.
    """
    for side in (old, new):
        side.sources.respell(renames)
        for nodeid, asked in list(side.asked.items()):
            if not asked.isdisjoint(renames):
                side.read(nodeid, write_out=side.facts[nodeid].written_out)


def read_touched(old: Side, new: Side, changed: list[str]) -> None:
    """
    Read the tests of both sides that the changed files may have changed.
    """
    if not changed:
        return
    affected = _affected(old, new, changed)
    names = _changed_names(old, new, affected)
    for side in (old, new):
        for path in affected:
            module = side.sources.module(path) if _is_test(side.sources, path) else None
            if module is not None:
                side.collected |= tests_in(side.sources, module)
    _tell_apart(old, new, affected)
    wanted = _wanted(old, new, names)
    for side in (old, new):
        for nodeid in side.collected:
            if nodeid in wanted:
                side.read(nodeid)
    for nodeid in old.facts.keys() & new.facts.keys():
        for side, other in ((old, new), (new, old)):  # both must be read in the same way to be compared
            if side.facts[nodeid].written_out and not other.facts[nodeid].written_out:
                side.read(nodeid, write_out=False)


def _tell_apart(old: Side, new: Side, paths: list[str]) -> None:
    """
    Both sides tell the same namesakes apart, so that they can be compared.
    """
    for path in paths:
        either = frozenset().union(
            *(namesakes(side.sources, side.sources.module(path)) for side in (old, new))
        )
        if either:
            old.sources.namesakes[path] = new.sources.namesakes[path] = either


def _affected(old: Side, new: Side, changed: list[str]) -> list[str]:
    """
    Add the test files that stand on a changed conftest or helper module.
    """
    found = dict.fromkeys(changed)
    support = [path for path in changed if any(not _is_test(side.sources, path) for side in (old, new))]
    todo = list(support)
    while todo:
        path = todo.pop()
        folder, _, name = path.rpartition("/")
        stem = folder.rpartition("/")[2] if name == "__init__.py" else name.removesuffix(".py")
        everything = dict.fromkeys([*old.sources.tree.under(""), *new.sources.tree.under("")])
        for other in everything:
            if (
                other in found
                or not other.endswith(".py")
                or not any(side.sources.layout.is_suite(other) for side in (old, new))
            ):
                continue
            if name == "conftest.py" and (other.startswith(f"{folder}/") or not folder):
                found[other] = None
            elif name != "conftest.py" and any(
                stem.encode("utf-8", "surrogateescape") in (side.sources.tree.read(other) or b"")
                for side in (old, new)
            ):
                found[other] = None
                if not _is_test(old.sources, other):
                    todo.append(other)
    return list(found)


def _text(module: Module, node: ast.AST) -> str:
    first = min([getattr(node, "lineno", 1), *(one.lineno for one in getattr(node, "decorator_list", []))])
    return "\n".join(module.lines[first - 1 : getattr(node, "end_lineno", first)])


#: What an autouse fixture must say to matter to the tests under it; patches are looked at on their own.
_TELLING: Final = re.compile(
    r"\b(assert\w*|fail|skip\w*|Skip\w*|xfail|raises|raise|applymarker|add_marker)\b"
)
#: Functions that a module runs before any of its tests.
_HOOKS: Final = ("setup_module", "setUpModule", "setup_function", "pytest_generate_tests")


def _definitions(sources: Sources, module: Module | None) -> dict[str, str]:
    """
    Return the text of every top-level name of a module that is not itself a test.
    """
    if module is None:
        return {}
    found = {
        name: "\n".join(_own_text(module, node) for node in nodes) for name, nodes in module.defs.items()
    }
    for name in module.constants:
        found[name] = found.get(name, "") + "\n".join(_text(module, one) for one in module.bindings(name))
    for name, one in module.imports.items():
        found[name] = found.get(name, "") + _origin(sources, one)
    found["*"] = "|".join(f"{one.module}" for one in module.stars)
    gates = [
        _text(module, node) for node in module.constants.values() if "importorskip" in _text(module, node)
    ]
    hooks = [_text(module, node) for name in _HOOKS for node in module.defs.get(name, [])]
    found["<import>"] = "\n".join([*(_text(module, node) for node in module.effects), *gates, *hooks])
    return found


def _origin(sources: Sources, found: Import) -> str:
    """
    A product's name is the same name from whichever of its modules it comes.
    """
    inside = found.member and sources.production(found.module) is not None
    return f"prod:{found.member}" if inside else f"{found.module}:{found.member}"


def _changed_names(old: Side, new: Side, affected: list[str]) -> dict[str, set[str]]:
    """
    Return, for each file and for all (under the empty path), the names whose meaning may have changed.
    """
    modules = {path: (old.sources.module(path), new.sources.module(path)) for path in affected}
    sides = (old.sources, new.sources)
    tables = {
        path: tuple(_definitions(side, one) for side, one in zip(sides, pair, strict=True))
        for path, pair in modules.items()
    }
    imports = (
        found
        for pair in modules.values()
        for one in pair
        if one is not None
        for found in (*one.imports.values(), *one.stars)
    )
    imported = {part for found in imports for part in (*found.module.split("."), found.member)}
    names: dict[str, set[str]] = {"": set()}
    for path, (before, after) in tables.items():
        names[path] = {name for name in before.keys() | after.keys() if before.get(name) != after.get(name)}
        for one in modules[path]:
            names[""] |= _auto(one, names[path])
        if path.rpartition("/")[2] == "conftest.py" and before.get("<import>") != after.get("<import>"):
            names[""].add(f"autouse of {path}")
    grown = True
    while grown:
        grown = False
        for path, pair in tables.items():
            is_test = _is_test(old.sources, path)
            shares = not is_test or path.rpartition("/")[2].removesuffix(".py") in imported
            grown |= _grow(names, path, pair, is_test=is_test)
            if shares:
                own = {name for name in names[path] if not _is_import(modules[path], name)}
                grown |= not own <= names[""]
                names[""] |= own
    return names


def _is_import(pair: tuple[Module | None, Module | None], name: str) -> bool:
    """
    An imported name means something in its own file alone.
    """
    return name in ("*", "<import>") or all(
        one is None or (name not in one.defs and name not in one.constants) for one in pair
    )


def _grow(names: dict[str, set[str]], path: str, pair: tuple[dict[str, str], ...], *, is_test: bool) -> bool:
    """
    Add what mentions a changed name; the answer says whether there was anything.
    """
    pattern = _pattern(names[""] | names[path])
    if pattern is None:
        return False
    more = {
        name
        for table in pair
        for name, text in table.items()
        if name not in names[path] and not (is_test and name.startswith("test")) and pattern.search(text)
    }
    names[path] |= more
    return bool(more)


def _auto(module: Module | None, changed: set[str]) -> set[str]:
    """
    A changed autouse fixture touches every test near it.
    """
    if module is None:
        return set()
    for name in changed:
        for node in module.defs.get(name, []):
            fixture = fixture_of(node, module)
            if fixture is not None and fixture.autouse and _TELLING.search(_text(module, node)):
                return {f"autouse of {module.path}"}
    return set()


def _pattern(names: set[str]) -> re.Pattern[str] | None:
    words = sorted(name for name in names if name.isidentifier())
    return re.compile(rf"\b(?:{'|'.join(words)})\b") if words else None


def _wanted(old: Side, new: Side, names: dict[str, set[str]]) -> set[str]:
    wanted = old.collected.keys() ^ new.collected.keys()
    shared = _pattern(names[""])
    local = {path: _pattern(mine) for path, mine in names.items()}
    folders = [
        name.removeprefix("autouse of ").rpartition("/")[0]
        for name in names[""]
        if name.startswith("autouse of ")
    ]
    for nodeid in old.collected.keys() & new.collected.keys():
        before, after = old.collected[nodeid], new.collected[nodeid]
        path = before.home.path
        if (
            "<import>" in names.get(path, ())
            or "pytestmark" in names.get(path, ())
            or any(_below(path, folder) for folder in folders)
        ):
            wanted.add(nodeid)
            continue
        texts = [_text(one.module, one.node) + _frame(one) for one in (before, after)]
        mentions = any(
            pattern is not None and pattern.search(text)
            for pattern in (shared, local.get(path))
            for text in texts
        )
        if texts[0] != texts[1] or mentions:
            wanted.add(nodeid)
    return wanted


def _below(path: str, folder: str) -> bool:
    return not folder or path.startswith(f"{folder}/")


def _own_text(module: Module, node: ast.AST) -> str:
    """
    Return the text of a definition; a class without its tests, which are looked at one by one.
    """
    if not isinstance(node, ast.ClassDef):
        return _text(module, node)
    first = min([node.lineno, *(one.lineno for one in node.decorator_list)])
    parts = [*module.lines[first - 1 : node.body[0].lineno - 1]]
    parts += [
        _text(module, one)
        for one in node.body
        if not (isinstance(one, (ast.FunctionDef, ast.AsyncFunctionDef)) and one.name.startswith("test"))
    ]
    return "\n".join(parts)


def _frame(test: Test) -> str:
    """
    Return the text of a test's classes without their other tests.
    """
    classes = (test.owner, *test.owner.mro) if test.owner is not None else ()
    return "\n".join(_own_text(klass.module, klass.node) for klass in classes)
