"""
One Python file of the suite: what it defines, what it imports, and what its names stand for.
"""

from __future__ import annotations

import ast
import hashlib
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Final

from oraclekeep.oracles.binding import bound, named_in_globals, rebound_from_inside
from oraclekeep.oracles.building import built
from oraclekeep.oracles.dumping import dumped
from oraclekeep.oracles.parsing import parse, text_of

if TYPE_CHECKING:
    from collections.abc import Iterator

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
    constants: dict[str, ast.expr] = field(default_factory=dict)  # what the module left a name with
    before: dict[tuple[str, ast.expr], ast.expr] = field(default_factory=dict)  # what that took the place of
    building: set[ast.stmt] = field(default_factory=set)  # statements that constants say already
    effects: list[ast.stmt] = field(default_factory=list)  # the rest, run at import
    under: dict[str, tuple[ast.expr, bool]] = field(default_factory=dict)  # defined only where this is so
    digests: dict[ast.AST, str] = field(default_factory=dict)

    @cached_property
    def rebound(self) -> frozenset[str]:
        """
        The names that stand for something else once one of the module's functions has run.
        """
        return frozenset(rebound_from_inside(self.tree, self.text))

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
                case ast.Delete(targets=[ast.Subscript(value=ast.Name())]):
                    self._build(node)
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
                    self._bind(target, value)
                case ast.Assign(targets=[ast.Subscript() as target], value=value) if any(
                    named_in_globals(target)
                ):
                    for name in named_in_globals(target):
                        self.imports.pop(name, None)
                        self._bind(name, value)
                case ast.Assign(targets=targets, value=value) if all(
                    isinstance(one, ast.Name) for one in targets
                ):
                    for target in targets:
                        if isinstance(target, ast.Name):
                            self._bind(target.id, value)
                case _:
                    self.effects.append(node)
                    for name in bound(node):
                        self.defs.pop(name, None)
                    if not self._build(node) and isinstance(node, _BLOCKS):
                        for inner in _blocks_of(node):
                            self.collect(inner)
                    if isinstance(node, ast.If):
                        self._conditional(node)

    def _bind(self, name: str, value: ast.expr) -> None:
        if name in self.constants:
            self.before[name, value] = self.constants[name]
        self.constants[name] = value
        self.defs.pop(name, None)

    def _build(self, node: ast.stmt) -> bool:
        """
        Take a statement that changes a constant in place for a new value of it.
        """
        found = built(node)
        if found is None or found[0] not in self.constants or found[0] == "pytestmark":
            return False
        self._bind(*found)
        self.building.add(node)
        return True

    def bindings(self, name: str) -> Iterator[ast.expr]:
        """
        Yield all that a name stood for, the last first.
        """
        value: ast.expr | None = self.constants[name]
        while value is not None:
            yield value
            value = self.before.get((name, value))

    def constant(self, name: str, line: int | None) -> ast.expr:
        """
        Return what a name stands for at a line of the module itself, or once all of it has run.
        """
        if line is None:
            return self.constants[name]
        bindings = list(self.bindings(name))
        return next((one for one in bindings if one.lineno <= line), bindings[-1])

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
            data = dumped(node).encode("utf-8", "surrogatepass")
            self.digests[node] = hashlib.blake2b(data, digest_size=8).hexdigest()
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
