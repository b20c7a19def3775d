"""
What a function comes to when it is called, as far as first-party code tells: what it touches and raises.
"""

from __future__ import annotations

import ast
import builtins
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final

from oraclekeep.conjectures.functions import own_nodes
from oraclekeep.oracles.module import Module

if TYPE_CHECKING:
    from collections.abc import Iterator

    from oraclekeep.conjectures.functions import Function
    from oraclekeep.oracles.module import Def, Import
    from oraclekeep.oracles.source import Sources

_MOST: Final = 200  # functions that are followed
#: Modules whose functions reach beyond the process, but for a few that only compute.
_OUTSIDE: Final = frozenset(
    {
        *("os", "shutil", "subprocess", "socket", "requests", "httpx", "aiohttp", "urllib", "http", "ftplib"),
        *("smtplib", "sqlite3", "tempfile", "signal", "threading", "multiprocessing", "ctypes", "webbrowser"),
        *(
            "fileinput",
            "getpass",
            "glob",
            "select",
            "selectors",
            "paramiko",
            "boto3",
            "psycopg",
            "psycopg2",
            "pymysql",
        ),
    }
)
_ONLY_COMPUTE: Final = (
    *("os.path", "os.fspath", "os.fsencode", "os.fsdecode", "os.sep", "os.linesep", "os.environ.get"),
    *("os.getenv", "urllib.parse", "glob.escape", "http.HTTPStatus"),
)
_BUILTINS: Final = frozenset({"open", "input", "exec", "eval", "breakpoint", "exit", "quit", "__import__"})
#: Methods that only files and folders have.
_METHODS: Final = frozenset(
    {
        *("write_text", "write_bytes", "read_text", "read_bytes", "unlink", "rmdir", "mkdir", "touch"),
        *("symlink_to", "hardlink_to", "chmod", "rmtree", "makedirs", "iterdir"),
    }
)


@dataclass(frozen=True)
class Piece:
    """
    One function that is reached, with the module that defines it.
    """

    module: Module
    dotted: str
    node: Def

    @cached_property
    def imports(self) -> dict[str, Import]:
        """
        What imported names stand for, those of the module and those of the function itself.
        """
        own = Module(self.module.path, self.module.tree, "")
        own.collect([one for one in ast.walk(self.node) if isinstance(one, (ast.Import, ast.ImportFrom))])
        return self.module.imports | own.imports

    def defines(self, name: str) -> bool:
        return name in self.module.defs and name not in self.imports


def reached(sources: Sources, function: Function, *, wide: bool = False) -> list[Piece]:
    """
    Return a function and the first-party functions that it calls by name, directly or through others.

    Of a class that it makes an object of that is what makes it; ``wide`` takes all methods.
    """
    module = sources.module(function.path)
    if module is None:
        return []
    found = [Piece(module, function.module, function.node)]
    seen: set[ast.AST] = {function.node}
    for piece in found:  # grows as it goes
        for more in _called(sources, piece, wide=wide):
            if more.node not in seen and len(found) < _MOST:
                seen.add(more.node)
                found.append(more)
    return found


def _called(sources: Sources, piece: Piece, *, wide: bool) -> Iterator[Piece]:
    for node in ast.walk(piece.node):
        match node:
            case ast.Call(func=ast.Name(id=name)):
                yield from _defined(sources, piece, (name, ""), wide=wide)
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=attr)):
                yield from _defined(sources, piece, (name, attr), wide=wide)
            case _:
                pass


def _defined(sources: Sources, piece: Piece, names: tuple[str, str], *, wide: bool) -> Iterator[Piece]:
    module, dotted = piece.module, piece.dotted
    name, attr = names
    if name in piece.imports:
        imported = piece.imports[name]
        definer = sources.defines(imported.module, imported.member)
        found = sources.module(definer[0]) if definer else None
        if definer is None or found is None:
            return
        module, dotted = found, sources.layout.module_name(definer[0])
        name, attr = (definer[1], attr) if definer[1] else (attr, "")
    for node in module.defs.get(name, ())[-1:]:
        inner = node.body if isinstance(node, ast.ClassDef) else [node]
        made = {"__init__", "__post_init__", "__new__", name}
        for one in inner:
            if isinstance(one, (ast.FunctionDef, ast.AsyncFunctionDef)) and (
                one.name == attr if attr else wide or one.name in made
            ):
                yield Piece(module, dotted, one)


def touches(pieces: list[Piece]) -> str:
    """
    Name what reaches beyond the process: files, other programs, the network; or nothing.
    """
    for piece in pieces:
        for node in ast.walk(piece.node):
            if isinstance(node, ast.Call) and (name := _outside(piece, node.func)):
                return name
    return ""


def _outside(piece: Piece, func: ast.expr) -> str:
    name = dotted_name(func)
    root, _, rest = name.partition(".")
    if root in piece.imports:
        imported = piece.imports[root]
        whole = ".".join(part for part in (imported.module, imported.member, rest) if part)
        if whole.partition(".")[0] in _OUTSIDE and not whole.startswith(_ONLY_COMPUTE):
            return whole
        if whole in ("sys.exit", "builtins.open", "io.open"):
            return whole
    elif name in _BUILTINS and not piece.defines(name):
        return name
    return func.attr if isinstance(func, ast.Attribute) and func.attr in _METHODS else ""


def dotted_name(node: ast.expr) -> str:
    """
    Return `a.b.c` for such an expression, else an empty text.
    """
    match node:
        case ast.Name(id=name):
            return name
        case ast.Attribute(value=value, attr=attr):
            inner = dotted_name(value)
            return f"{inner}.{attr}" if inner else ""
        case _:
            return ""


def raised(sources: Sources, pieces: list[Piece]) -> tuple[str, ...]:
    """
    Return the exceptions that are raised by name, as `raises_only` names them.
    """
    found: dict[str, None] = {}
    for piece in pieces:
        for node in own_nodes(piece.node):
            if isinstance(node, ast.Raise) and node.exc is not None:
                exc = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
                if name := _exception(sources, piece, dotted_name(exc)):
                    found[name] = None
    return tuple(sorted(found))


def _exception(sources: Sources, piece: Piece, name: str) -> str:
    root, _, rest = name.partition(".")
    module = piece.module
    if root in piece.imports:
        imported = piece.imports[root]
        member = ".".join(part for part in (imported.member, rest) if part)
        definer = sources.defines(imported.module, imported.member)
        if definer is not None and definer[1] == imported.member:
            return f"{sources.layout.module_name(definer[0])}.{member}" if member else ""
        return f"{imported.module}.{member}" if member else ""
    if root in module.defs and not rest:
        return f"{piece.dotted}.{root}" if isinstance(module.defs[root][-1], ast.ClassDef) else ""
    kind = getattr(builtins, name, None)
    return name if isinstance(kind, type) and issubclass(kind, BaseException) else ""
