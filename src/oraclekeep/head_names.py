"""
Base's tests under the names that the patch gave to production code (SPEC §6.2).

A patch that only renames a function would turn every base test that calls it red.  Such a test says the same
under the new name, so the characterization lane runs it in that form; its checks stay base's.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

#: Attributes that many objects have; a method of that name may be anybody's.
_COMMON: Final = frozenset(name for kind in (dict, list, str, bytes, set, int, float) for name in dir(kind))


@dataclass(frozen=True, slots=True)
class Renames:
    """
    What the patch renamed in production code: module-level names, methods, and modules by their dotted names.
    """

    names: Mapping[str, str]
    methods: Mapping[str, str]
    modules: Mapping[str, str]

    @classmethod
    def of(cls, table: Mapping[str, str]) -> Renames:
        """
        Read the table that matching tests uses: `prod:old`, `pmod:old.module`, or a method's bare name.
        """
        parts: dict[str, dict[str, str]] = {"prod": {}, "pmod": {}, "": {}}
        for old, new in table.items():
            kind, colon, name = old.rpartition(":")
            if colon and kind not in parts:
                continue
            parts[kind][name] = new.rpartition(":")[2]
        methods = {old: new for old, new in parts[""].items() if old not in _COMMON}
        return cls(parts["prod"], methods, parts["pmod"])

    def __bool__(self) -> bool:
        return bool(self.names or self.methods or self.modules)

    def dotted(self, text: str) -> str:
        """
        Return a dotted name as it is called now.
        """
        for old, new in self.modules.items():
            if text == old or text.startswith(old + "."):
                text = new + text[len(old) :]
        first, *rest = text.split(".")
        known = {**self.names, **self.methods}
        return ".".join((first, *(known.get(part, part) for part in rest)))

    def module_in(self, package: str, name: str) -> str:
        """
        Return what a module is called now, where it stayed in its package; else nothing.
        """
        now = self.modules.get(f"{package}.{name}", "")
        return now.rpartition(".")[2] if now.rpartition(".")[0] == package else ""


@dataclass(frozen=True, slots=True, order=True)
class _Change:
    start: int
    end: int
    text: bytes


def in_head_form(source: bytes, renames: Renames) -> bytes:
    """
    Return a test module's source with the patch's names; one that cannot be parsed is left as it is.
    """
    try:
        module = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError):
        return source
    if source.startswith(b"\xef\xbb\xbf") or b"\r" in source.replace(b"\r\n", b"\n"):
        return source  # offsets would be wrong
    lines = _starts(source)
    changes = sorted({change for change in _changes(module, source, lines, renames) if change.text})
    for change in reversed(changes):
        source = source[: change.start] + change.text + source[change.end :]
    return source


def _starts(source: bytes) -> list[int]:
    return [0, *(found.end() for found in re.finditer(rb"\n", source))]


def _changes(module: ast.Module, source: bytes, lines: list[int], renames: Renames) -> Iterator[_Change]:
    imported = _imported(module)
    for node in ast.walk(module):
        if isinstance(node, ast.ImportFrom) and node.module:
            yield from _in_import_from(node, node.module, source, lines, renames)
        elif isinstance(node, ast.Import):
            yield from _in_import(node, source, lines, renames)
        elif isinstance(node, ast.Attribute):
            yield from _in_attribute(node, lines, renames, imported)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and "." in node.value:
            yield from _in_string(node, node.value, source, lines, renames)


def _imported(module: ast.Module) -> frozenset[str]:
    """
    Return the names that imports bind: only through them does a test reach production code.
    """
    found = set()
    for node in ast.walk(module):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            found |= {alias.asname or alias.name.partition(".")[0] for alias in node.names}
    return frozenset(found)


def _in_import_from(
    node: ast.ImportFrom, module: str, source: bytes, lines: list[int], renames: Renames
) -> Iterator[_Change]:
    """
    Import the new name under the old one, so that nothing below changes.
    """
    start, end = _span(node, lines)
    head, word, names = source[start:end].decode("utf-8", "replace").partition("import")
    for alias in node.names:
        now = renames.names.get(alias.name) or renames.module_in(module, alias.name)
        if now:
            names = _import_as(names, alias.name, now)
    head = head.replace(module, renames.dotted(module), 1)
    yield _Change(start, end, f"{head}{word}{names}".encode())


def _import_as(names: str, old: str, new: str) -> str:
    def spelled(found: re.Match[str]) -> str:
        return new + (found[1] or f" as {old}")

    return re.sub(rf"(?<!\w){re.escape(old)}(?!\w)(\s+as\b)?", spelled, names, count=1)


def _in_import(node: ast.Import, source: bytes, lines: list[int], renames: Renames) -> Iterator[_Change]:
    start, end = _span(node, lines)
    text = source[start:end].decode("utf-8", "replace")
    for alias in node.names:
        pattern = rf"(?<![\w.]){re.escape(alias.name)}(?![\w.])"
        text = re.sub(pattern, renames.dotted(alias.name), text, count=1)
    yield _Change(start, end, text.encode())


def _in_attribute(
    node: ast.Attribute, lines: list[int], renames: Renames, imported: Iterable[str]
) -> Iterator[_Change]:
    root = node.value
    while isinstance(root, ast.Attribute):
        root = root.value
    through_import = isinstance(root, ast.Name) and root.id in imported
    known = renames.names if through_import else {}
    new = known.get(node.attr) or renames.methods.get(node.attr)
    if new is None and through_import:
        package, _, name = ast.unparse(node).rpartition(".")
        new = renames.module_in(package, name)
    if new:
        _, end = _span(node, lines)
        yield _Change(end - len(node.attr.encode()), end, new.encode())


def _in_string(
    node: ast.Constant, value: str, source: bytes, lines: list[int], renames: Renames
) -> Iterator[_Change]:
    """
    The target of a `mock.patch("package.module.name")`.
    """
    if re.fullmatch(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)+", value):
        start, end = _span(node, lines)
        yield _Change(
            start, end, source[start:end].replace(value.encode(), renames.dotted(value).encode(), 1)
        )


def _span(node: ast.expr | ast.stmt, lines: list[int]) -> tuple[int, int]:
    last, column = node.end_lineno or node.lineno, node.end_col_offset or node.col_offset
    return lines[node.lineno - 1] + node.col_offset, lines[last - 1] + column
