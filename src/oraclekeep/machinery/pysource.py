"""
Python files as the machinery's readers need them: names resolved through imports, constant text folded.
"""

from __future__ import annotations

import ast
import functools
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

from oraclekeep.errors import MissingEvidence
from oraclekeep.machinery.folding import Folder
from oraclekeep.oracles.parsing import Unparsable, below, parse

if TYPE_CHECKING:
    from collections.abc import Iterator

    from oraclekeep.model import Snapshot

Def = ast.FunctionDef | ast.AsyncFunctionDef
Node = TypeVar("Node", bound=ast.AST)


@dataclass(frozen=True)
class PyFile:
    """
    One parsed file of one side.
    """

    path: str
    tree: ast.Module
    data: bytes = b""

    @cached_property
    def _nodes(self) -> dict[type[ast.AST], list[ast.AST]]:
        found: dict[type[ast.AST], list[ast.AST]] = {}
        for node in below(self.tree):
            found.setdefault(type(node), []).append(node)
        return found

    def of(self, *kinds: type[Node]) -> Iterator[Node]:
        """
        Yield every node of some kinds; the tree is walked once for all who ask.
        """
        for kind in kinds:
            yield from (node for node in self._nodes.get(kind, ()) if isinstance(node, kind))

    @cached_property
    def functions(self) -> tuple[Def, ...]:
        return (*self.of(ast.FunctionDef), *self.of(ast.AsyncFunctionDef))

    @property
    def statements(self) -> Iterator[ast.stmt]:
        for kind, nodes in self._nodes.items():
            if issubclass(kind, ast.stmt):
                yield from (node for node in nodes if isinstance(node, ast.stmt))

    @cached_property
    def names(self) -> dict[str, str]:
        """
        Return what each imported name stands for, dotted; a name that was aliased by assignment counts too.
        """
        found: dict[str, str] = {}
        for node in self.of(ast.Import):
            for alias in node.names:
                top = alias.name.split(".")[0]
                found[alias.asname or top] = alias.name if alias.asname else top
        for source in self.of(ast.ImportFrom):
            module = "." * source.level + (source.module or "")
            found |= {alias.asname or alias.name: f"{module}.{alias.name}" for alias in source.names}
        for name, value in self.constants.items():
            dotted = _dotted(value, found)
            if dotted.split(".")[0] in {"sys", "os", "pytest", "_pytest", "inspect", "unittest"}:
                found.setdefault(name, dotted)
        return found

    @cached_property
    def constants(self) -> dict[str, ast.expr]:
        """
        Return names that the module assigns exactly once, at its top or in a class or function.
        """
        found: dict[str, list[ast.expr]] = {}
        for node in self.of(ast.Assign):
            for target in node.targets:
                if isinstance(target, ast.Name):
                    found.setdefault(target.id, []).append(node.value)
        others = [(other.target, other.value) for other in self.of(ast.AnnAssign)]
        others += [(other.target, other.value) for other in self.of(ast.NamedExpr)]
        for target, value in others:
            if isinstance(target, ast.Name) and value is not None:
                found.setdefault(target.id, []).append(value)
        return {name: values[0] for name, values in found.items() if len(values) == 1}

    def dotted(self, node: ast.AST) -> str:
        """
        Return the dotted name an expression stands for, imports followed; empty for anything else.
        """
        return _dotted(node, self.names)

    def fold(self, node: ast.AST | None) -> object:
        """
        Return the constant that an expression always has, or ``UNKNOWN``.
        """
        return Folder(self.constants).fold(node, 0)

    def text(self, node: ast.AST | None) -> str:
        """
        Return an expression's constant text, or nothing where it has none.
        """
        value = self.fold(node)
        if isinstance(value, bytes):
            return value.decode("latin-1")
        return value if isinstance(value, str) else ""

    def texts(self, node: ast.AST) -> Iterator[str]:
        """
        Yield every constant text below a node, assembled ones as one; bare strings are left out.
        """
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            return
        if isinstance(node, ast.expr) and (whole := self.text(node)):
            yield whole
            return
        for child in ast.iter_child_nodes(node):
            yield from self.texts(child)

    def function(self, name: str) -> Def | None:
        """
        Return the last function of that name anywhere in the module.
        """
        found = [node for node in self.functions if node.name == name]
        return found[-1] if found else None


def _dotted(node: ast.AST, names: dict[str, str]) -> str:
    match node:
        case ast.Name(id=name):
            return names.get(name, name)
        case ast.Attribute(value=value, attr=attr):
            inner = _dotted(value, names)
            return f"{inner}.{attr}" if inner else ""
        case ast.Call(func=ast.Name(id="getattr"), args=[value, ast.Constant(value=str(attr)), *_]):
            inner = _dotted(value, names)
            return f"{inner}.{attr}" if inner else ""
        case ast.Call(func=ast.Name(id="__import__"), args=[ast.Constant(value=str(name)), *_]):
            return name
        case ast.Call(func=ast.Attribute(attr="import_module"), args=[ast.Constant(value=str(name)), *_]):
            return name
        case _:
            return ""


@functools.lru_cache(maxsize=1024)
def _parsed(path: str, data: bytes) -> PyFile:
    """
    Several rules read the same file; its bytes say all there is to know.
    """
    return PyFile(path, parse(path, data), data)


def load(tree: Snapshot, path: str) -> PyFile | None:
    """
    Parse one file of a tree, or return None where the tree has no such file.

    Raises `Unparsable` for a file that is not Python, `MissingEvidence` for syntax newer than our own Python.
    """
    entry = tree.entry(path)
    data = tree.read(path) if entry is not None and not entry.is_link else None
    if data is None:
        return None
    try:
        return _parsed(path, data)
    except Unparsable as error:
        if error.newer:
            raise MissingEvidence(
                f"{error}; the syntax is newer than the gate's Python: use a newer one"
            ) from error
        raise


def load_or_none(tree: Snapshot, path: str) -> PyFile | None:
    """
    Parse one file of a tree; None where there is no such file or our Python cannot read it.
    """
    try:
        return load(tree, path)
    except (Unparsable, MissingEvidence):
        return None


def body_text(node: Def | ast.ClassDef) -> str:
    """
    Return a definition without its docstring and decorator order, for comparing two sides.
    """
    body = node.body
    if (
        body
        and isinstance(body[0], ast.Expr)
        and isinstance(body[0].value, ast.Constant)
        and isinstance(body[0].value.value, str)
    ):
        body = body[1:]
    decorators = sorted(ast.unparse(item) for item in node.decorator_list)
    head = (
        ast.unparse(node.args)
        if isinstance(node, Def)
        else ",".join(ast.unparse(base) for base in node.bases)
    )
    return "\n".join([*decorators, head, *(ast.unparse(item) for item in body)])


def outer_functions(tree: ast.AST) -> Iterator[Def]:
    """
    Yield functions and methods that are not inside another function.
    """
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, Def):
            yield node
        else:
            yield from outer_functions(node)


def own_nodes(root: ast.AST) -> Iterator[ast.AST]:
    """
    Walk below a node without entering functions, lambdas and classes defined there.
    """
    for node in ast.iter_child_nodes(root):
        yield node
        if not isinstance(node, Def | ast.Lambda | ast.ClassDef):
            yield from own_nodes(node)


def module_path(tree: Snapshot, dotted: str, *, importer: str = "") -> str | None:
    """
    Return the file of the tree that a dotted module name would import, the nearest to the importer first.
    """
    level = len(dotted) - len(dotted.lstrip("."))
    stem = dotted.lstrip(".").replace(".", "/")
    folder = importer.rpartition("/")[0]
    if level:
        parts = folder.split("/") if folder else []
        roots = ["/".join(parts[: len(parts) - level + 1])]
    else:
        parts = folder.split("/") if folder else []
        roots = ["/".join(parts[:count]) for count in range(len(parts), -1, -1)]
        roots += ["", "src", "lib", "tests", "test"]
    for root in dict.fromkeys(roots):
        base = "/".join(part for part in (root, stem) if part)
        for path in (f"{base}.py", f"{base}/__init__.py"):
            if tree.entry(path) is not None:
                return path
    return None
