"""
Test sources as modules: what they define, what they import, and where a name leads.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, Final, TypeVar

from oraclekeep.oracles.module import Module
from oraclekeep.oracles.parsing import Unparsable

if TYPE_CHECKING:
    import ast
    from collections.abc import Callable, Iterator

    from oraclekeep.model import Snapshot
    from oraclekeep.oracles.module import Import
    from oraclekeep.paths import Layout

T = TypeVar("T")
#: Modules that are never the product's, though one of its own may be called so.
_ELSEWHERE: Final = sys.stdlib_module_names | {"pytest", "hypothesis", "mock", "trio", "anyio"}


class Sources:
    """
    One side of the patch as Python modules, loaded when asked for.
    """

    def __init__(self, tree: Snapshot, layout: Layout) -> None:
        self.tree, self.layout = tree, layout
        self._modules: dict[str, Module | None] = {}
        self._production: dict[str, str | None] = {}
        self._found: dict[tuple[str, str, str], tuple[Module, str] | None] = {}
        self._notes: dict[tuple[str, ast.AST], Any] = {}
        self.unparsable: dict[str, Unparsable] = {}
        #: Names that the patch only renamed -> their new spelling; both sides are read in the new one.
        self._renames: dict[str, str] = {}
        #: Every name that was asked for its spelling since whoever wants to know emptied this.
        self.asked: set[str] = set()
        #: What constants of the suite's modules are, with the names that were used and asked for on the way.
        self.constants: dict[tuple[str, bool, ast.AST], tuple[Any, set[str], set[str]]] = {}
        #: Those that are being read.
        self.open: set[tuple[str, bool, ast.AST]] = set()
        #: For each file of the suite, the members of the product that it takes from two modules.
        self.namesakes: dict[str, frozenset[str]] = {}

    def once(self, kind: str, node: ast.AST, compute: Callable[[ast.AST], T]) -> T:
        """
        Return what ``compute`` says of a node, asking it only the first time.
        """
        key = (kind, node)
        if key not in self._notes:
            self._notes[key] = compute(node)
        found: T = self._notes[key]
        return found

    def once_asking(self, kind: str, node: ast.AST, compute: Callable[[ast.AST], T]) -> T:
        """
        Do as `once` does, and ask each time for the names that were asked for the first time.
        """
        before, self.asked = self.asked, set()
        found, asked = self.once(kind, node, lambda one: (compute(one), self.asked))
        self.asked = before | asked
        return found

    def spelled(self, name: str) -> str:
        """
        Return the new spelling of a name that the patch only renamed, or the name itself.
        """
        self.asked.add(name)
        return self._renames.get(name, name)

    def respell(self, renames: dict[str, str]) -> None:
        """
        Spell names anew from now on; what was noted in the old spelling is forgotten.
        """
        self._renames = renames
        self._notes.clear()
        self.constants.clear()

    def module(self, path: str) -> Module | None:
        """
        Return the parsed module, or None where there is no such file or it does not parse.
        """
        if path not in self._modules:
            self._modules[path] = self._load(path)
        return self._modules[path]

    def _load(self, path: str) -> Module | None:
        entry = self.tree.entry(path)
        data = self.tree.read(path) if entry is not None and not entry.is_link else None
        if data is None:
            return None
        try:
            return Module.load(path, data)
        except Unparsable as error:
            self.unparsable[path] = error
            return None

    def owns(self, path: str) -> bool:
        """
        Return whether this file is part of the suite: a test, its support, or the human's properties.
        """
        return self.layout.is_suite(path) or path.startswith(("oracle/", "invariants/"))

    def collects(self, path: str) -> bool:
        """
        Return whether pytest takes tests from this file.
        """
        return self.layout.is_test_file(path) or self.layout.is_stray_test(path)

    def find(self, importer: str, found: Import) -> tuple[Module, str] | None:
        """
        Follow an import to a module of the suite and the member's name there (empty for the module itself).
        """
        key = (importer.rpartition("/")[0], found.module, found.member)
        if key not in self._found:
            self._found[key] = self._find(importer, found)
        return self._found[key]

    def _find(self, importer: str, found: Import) -> tuple[Module, str] | None:
        for dotted, member in self._readings(found):
            for path in self._candidates(importer, dotted):
                if (
                    self.tree.entry(path) is not None
                    and (module := self._suite_module(importer, path)) is not None
                ):
                    return module, member
        return None

    @staticmethod
    def _readings(found: Import) -> Iterator[tuple[str, str]]:
        if found.member:
            yield f"{found.module}.{found.member}" if found.module else found.member, ""
        yield found.module, found.member

    def _candidates(self, importer: str, dotted: str) -> Iterator[str]:
        if not dotted:
            return
        stem = dotted.replace(".", "/")
        folder = importer.rpartition("/")[0]
        roots = [folder, *_parents(folder), "tests"]
        for root in dict.fromkeys(roots):
            prefix = f"{root}/" if root else ""
            yield f"{prefix}{stem}.py"
            yield f"{prefix}{stem}/__init__.py"

    def _suite_module(self, importer: str, path: str) -> Module | None:
        beside = path.rpartition("/")[0].startswith(
            importer.rpartition("/")[0]
        ) and not self.layout.is_production(path)
        return self.module(path) if self.owns(path) or beside else None

    def production(self, dotted: str) -> str | None:
        """
        Return the path of a first-party production module, or None for anything else.
        """
        if dotted not in self._production:
            self._production[dotted] = self._find_production(dotted)
        return self._production[dotted]

    def _find_production(self, dotted: str) -> str | None:
        stem = dotted.replace(".", "/")
        for root in dict.fromkeys((*self.layout.source, "")):
            top = "" if root in ("", ".") else root.rstrip("/") + "/"
            # `asyncio` is not `pkg.asyncio`: nobody imports from inside of a package what Python has itself.
            is_inside = dotted.partition(".")[0] in _ELSEWHERE and self.tree.entry(f"{top}__init__.py")
            for path in () if is_inside else (f"{top}{stem}.py", f"{top}{stem}/__init__.py"):
                if self.tree.entry(path) is not None and self.layout.is_production(path):
                    return path
            for inner in _inside_package(top.rstrip("/"), stem):
                for path in (
                    f"{top}{inner}.py",
                    f"{top}{inner}/__init__.py" if inner else f"{top}__init__.py",
                ):
                    if self.tree.entry(path) is not None and self.layout.is_production(path):
                        return path
        return None

    def defines(
        self, dotted: str, member: str, *, seen: frozenset[str] = frozenset()
    ) -> tuple[str, str] | None:
        """
        Follow re-exports to the production file and the name in it that define a member.
        """
        path = self.production(dotted)
        if path is None or path in seen:
            return None
        module = self.module(path)
        if module is None or not member:
            return path, member
        if member in module.defs or member in module.constants:
            return path, member
        if (found := module.imports.get(member)) is not None:
            deeper = self.defines(self._absolute(found.module), found.member, seen=seen | {path})
            return deeper or (path, member)
        for star in module.stars:
            if (deeper := self.defines(self._absolute(star.module), member, seen=seen | {path})) is not None:
                return deeper
        if (inner := self.production(f"{dotted}.{member}")) is not None:
            return inner, ""
        return path, member

    def _absolute(self, dotted: str) -> str:
        """
        A relative import was resolved against folders; drop the source root in front of it.
        """
        for root in sorted(self.layout.source, key=len, reverse=True):
            prefix = root.rstrip("/").replace("/", ".") + "."
            if dotted.startswith(prefix) and self.production(dotted) is None:
                return dotted[len(prefix) :]
        return dotted

    def conftests(self, path: str) -> Iterator[Module]:
        """
        Yield the conftest modules that apply to a file, nearest first.
        """
        yield from (module for one in conftest_paths(path) if (module := self.module(one)) is not None)


def conftest_paths(path: str) -> list[str]:
    """
    Return where the conftest files that apply to a file may be, nearest first.
    """
    folder = path.rpartition("/")[0]
    parents = dict.fromkeys((folder, *_parents(folder)))
    return [f"{parent}/conftest.py" if parent else "conftest.py" for parent in parents]


def _parents(folder: str) -> list[str]:
    parts = folder.split("/") if folder else []
    return ["/".join(parts[:count]) for count in range(len(parts) - 1, -1, -1)] if parts else []


def _inside_package(root: str, stem: str) -> Iterator[str]:
    """
    Yield what is left of a module's path below a package folder that is a source itself, as in a flat layout.
    """
    parts = root.split("/")
    for count in range(1, len(parts) + 1):
        package = "/".join(parts[-count:])
        if package and (stem == package or stem.startswith(f"{package}/")):
            yield stem[len(package) :].lstrip("/")
