"""
Test sources as modules: what they define, what they import, and where a name leads.
"""

from __future__ import annotations

import ast
import hashlib
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, TypeVar

from oraclekeep.oracles.binding import bound, named_in_globals
from oraclekeep.oracles.parsing import Unparsable, parse, text_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from oraclekeep.model import Snapshot
    from oraclekeep.paths import Layout

T = TypeVar("T")
Def = ast.FunctionDef | ast.AsyncFunctionDef
_BLOCKS: Final = (ast.If, ast.Try, ast.With)


@dataclass(frozen=True)
class Import:
    """
    What one imported name stands for: ``module`` and, for a from-import, the ``member`` of it.
    """

    module: str  # dotted; relative ones are resolved against the file's folder
    member: str = ""
    line: int = 0


@dataclass
class Module:
    """
    One parsed Python file.
    """

    path: str
    tree: ast.Module
    text: str
    defs: dict[str, list[Def | ast.ClassDef]] = field(default_factory=dict)  # in order; the last one wins
    imports: dict[str, Import] = field(default_factory=dict)
    stars: list[Import] = field(default_factory=list)
    constants: dict[str, ast.expr] = field(default_factory=dict)  # assigned once at module level
    effects: list[ast.stmt] = field(default_factory=list)  # the rest, run at import
    under: dict[str, tuple[ast.expr, bool]] = field(default_factory=dict)  # defined only where this is so
    digests: dict[ast.AST, str] = field(default_factory=dict)

    @classmethod
    def load(cls, path: str, data: bytes) -> Module:
        module = cls(path, parse(path, data), text_of(data))
        module.collect(module.tree.body)
        return module

    def collect(self, body: list[ast.stmt]) -> None:
        for node in body:
            match node:
                case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                    self.defs.setdefault(node.name, []).append(node)
                    self.imports.pop(node.name, None)
                    self.constants.pop(node.name, None)
                case ast.If(test=ast.Constant(value=value)):
                    self.collect(node.body if value else node.orelse)
                case ast.Delete(targets=targets):
                    for target in targets:
                        for name in (
                            (target.id,) if isinstance(target, ast.Name) else named_in_globals(target)
                        ):
                            self.defs.pop(name, None)
                            self.constants.pop(name, None)
                case ast.Import():
                    for alias in node.names:
                        shown = alias.asname or alias.name.split(".")[0]
                        self.imports[shown] = Import(alias.name if alias.asname else shown, line=node.lineno)
                        self.defs.pop(shown, None)
                case ast.ImportFrom():
                    self._from_import(node)
                case ast.AnnAssign(target=ast.Name(id=target), value=ast.expr() as value):
                    self.constants[target] = value
                    self.defs.pop(target, None)
                case ast.Assign(targets=targets, value=value) if all(
                    isinstance(one, ast.Name) for one in targets
                ):
                    for target in targets:
                        if isinstance(target, ast.Name):
                            self.constants[target.id] = value
                            self.defs.pop(target.id, None)
                case _:
                    self.effects.append(node)
                    for name in bound(node):
                        self.defs.pop(name, None)
                    if isinstance(node, _BLOCKS):
                        for inner in _blocks_of(node):
                            self.collect(inner)
                    if isinstance(node, ast.If):
                        self._conditional(node)

    def _conditional(self, node: ast.If) -> None:
        """
        Note what only one branch defines, with the branch's condition.
        """
        names = [
            {
                one.name
                for one in body
                if isinstance(one, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))
            }
            for body in (node.body, node.orelse)
        ]
        self.under |= dict.fromkeys(names[0] - names[1], (node.test, True))
        self.under |= dict.fromkeys(names[1] - names[0], (node.test, False))

    def _from_import(self, node: ast.ImportFrom) -> None:
        module = node.module or ""
        if node.level:
            folder = self.path.split("/")[: -node.level]
            module = ".".join([*folder, *([module] if module else [])])
        for alias in node.names:
            found = Import(module, alias.name, node.lineno)
            if alias.name == "*":
                self.stars.append(found)
            else:
                self.imports[alias.asname or alias.name] = found
                self.defs.pop(alias.asname or alias.name, None)

    @cached_property
    def exported(self) -> frozenset[str] | None:
        """
        The names that `__all__` gives to a star import, or None where it says nothing.
        """
        match self.constants.get("__all__"):
            case ast.List(elts=items) | ast.Tuple(elts=items):
                return frozenset(
                    one.value for one in items if isinstance(one, ast.Constant) and isinstance(one.value, str)
                )
            case _:
                return None

    def gives(self, name: str) -> bool:
        """
        Return whether a star import takes this name along.
        """
        return name in self.exported if self.exported is not None else not name.startswith("_")

    @cached_property
    def lines(self) -> list[str]:
        return self.text.split("\n")

    def digest(self, node: ast.AST) -> str:
        """
        Return a short name of a piece of code that stands for a value.
        """
        if node not in self.digests:
            dumped = ast.dump(node).encode("utf-8", "surrogatepass")
            self.digests[node] = hashlib.blake2b(dumped, digest_size=8).hexdigest()
        return self.digests[node]

    def segment(self, node: ast.AST) -> str:
        """
        Return a node's source on one line, for a report.
        """
        first, last = (
            getattr(node, "lineno", 1),
            getattr(node, "end_lineno", None) or getattr(node, "lineno", 1),
        )
        joined = " ".join(line.strip() for line in self.lines[first - 1 : last])
        return joined if len(joined) <= 200 else joined[:197] + "..."


def _blocks_of(node: ast.stmt) -> Iterator[list[ast.stmt]]:
    match node:
        case ast.If():
            yield node.body
            yield node.orelse
        case ast.Try():
            yield node.body
            yield from (handler.body for handler in node.handlers)
            yield node.orelse
            yield node.finalbody
        case ast.With():
            yield node.body
        case _:
            return


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
            for path in (f"{top}{stem}.py", f"{top}{stem}/__init__.py"):
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
        folder = path.rpartition("/")[0]
        for parent in (folder, *_parents(folder)):
            module = self.module(f"{parent}/conftest.py" if parent else "conftest.py")
            if module is not None:
                yield module


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
