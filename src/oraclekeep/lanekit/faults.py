"""
Known faults: what `oracle/known_fail/` holds, and the files of a tree with one of them planted.

A fault is a unified diff (`.diff`, `.patch`) whose lines before the first header say `turns-red: ID, ID`; or
a Python file (`.py`) whose docstring also says `replaces: package.module.function`, and which defines that
function anew.  Pure: files come in and go out as text.
"""

from __future__ import annotations

import ast
import re
import textwrap
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

FOLDER: Final = "oracle/known_fail"
DIFFS: Final = (".diff", ".patch")
_HUNK: Final = re.compile(r"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")


class FaultError(Exception):
    """
    The fault can't be planted; the message says why.
    """


@dataclass(frozen=True)
class Fault:
    """
    One file of the folder: what it must turn red, and how it is planted.
    """

    name: str
    turns_red: tuple[str, ...]
    replaces: str  # the dotted name of a function, or nothing for a diff
    text: str


def is_fault(path: str) -> bool:
    """
    Return whether a path names a fault; a README beside them does not.
    """
    return path.startswith(f"{FOLDER}/") and path.endswith((*DIFFS, ".py"))


def read_fault(name: str, data: bytes) -> Fault:
    """
    Read one fault.  Raises `FaultError` for one that names no property, or nothing to replace.
    """
    try:
        text = data.decode("utf-8-sig")
        is_diff = name.endswith(DIFFS)
        head = (
            re.split(r"^(?:diff --git|--- )", text, maxsplit=1, flags=re.MULTILINE)[0]
            if is_diff
            else _docstring(text)
        )
    except (UnicodeDecodeError, SyntaxError, ValueError) as error:
        raise FaultError(f"can't be read: {error}") from error
    turns_red = tuple(word for line in _values(head, "turns-red") for word in re.split(r",\s*", line) if word)
    replaces = next(_values(head, "replaces"), "")
    if not turns_red:
        where = "before its first header" if is_diff else "in its docstring"
        raise FaultError(f"names no property; write `turns-red: ID` {where}")
    if not is_diff and not replaces:
        raise FaultError("says not what it replaces; write `replaces: module.function` in its docstring")
    return Fault(name, turns_red, "" if is_diff else replaces, text)


def _docstring(text: str) -> str:
    return ast.get_docstring(ast.parse(text)) or ""


def _values(head: str, key: str) -> Iterator[str]:
    for found in re.finditer(rf"^[#\s]*{key}:[ \t]*(\S.*?)\s*$", head, flags=re.MULTILINE | re.IGNORECASE):
        yield found[1]


def planted(fault: Fault, read: Callable[[str], str | None], source: Sequence[str]) -> dict[str, str | None]:
    """
    Return the files that the fault changes, as they are with it (None: gone).

    Raises `FaultError` where it does not fit the tree, or changes nothing.
    """
    changed = _replaced(fault, read, source) if fault.replaces else _patched(fault.text, read)
    if all(text == read(path) for path, text in changed.items()):
        raise FaultError("changes nothing; write it anew")
    return changed


# ----------------------------------------------------------------------------------------------- functions


def _replaced(
    fault: Fault, read: Callable[[str], str | None], source: Sequence[str]
) -> dict[str, str | None]:
    for path, names in _places(fault.replaces, source):
        text = read(path)
        if text is not None and names:
            return {path: _with_function(text, names, _function_of(fault, names[-1]))}
    raise FaultError(f"there is no module for {fault.replaces}; name a function of this tree")


def _places(dotted: str, source: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
    """
    Yield the files in which a dotted name may lie, the longest module first, with the rest of the name.
    """
    parts = dotted.split(".")
    for cut in range(len(parts) - 1, 0, -1):
        for root in source:
            stem = "/".join(([] if root in ("", ".") else [root]) + parts[:cut])
            yield f"{stem}.py", parts[cut:]
            yield f"{stem}/__init__.py", parts[cut:]


def _function_of(fault: Fault, name: str) -> str:
    for node in ast.parse(fault.text).body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.name == name:
            return "\n".join(fault.text.splitlines()[_first_line(node) - 1 : node.end_lineno])
    raise FaultError(f"does not define {name}, which it says it replaces")


def _with_function(text: str, names: Sequence[str], function: str) -> str:
    node: ast.AST = ast.parse(text)
    for name in names:
        kinds = (ast.FunctionDef, ast.AsyncFunctionDef) if name == names[-1] else (ast.ClassDef,)
        inner = [each for each in getattr(node, "body", ()) if isinstance(each, kinds) and each.name == name]
        if not inner:
            raise FaultError(f"there is no {'.'.join(names)} to replace; write the fault anew")
        node = inner[-1]  # the definition that counts
    if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        raise FaultError("says not which function it replaces")
    lines = text.splitlines(keepends=True)
    indented = textwrap.indent(textwrap.dedent(function), " " * node.col_offset)
    return "".join([*lines[: _first_line(node) - 1], f"{indented}\n", *lines[node.end_lineno :]])


def _first_line(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> int:
    return min((node.lineno, *(one.lineno for one in node.decorator_list)))


# --------------------------------------------------------------------------------------------------- diffs


def _patched(text: str, read: Callable[[str], str | None]) -> dict[str, str | None]:
    changed: dict[str, str | None] = {}
    for old, new, hunks in _files(text):
        before = "" if old is None else read(old)
        if before is None:
            raise FaultError(f"{old}: there is no such file; write the fault anew")
        after = _with_hunks(old or str(new), before.splitlines(keepends=True), hunks)
        if old is not None and old != new:
            changed[old] = None
        if new is not None:
            changed[new] = after
    if not changed:
        raise FaultError("holds no diff")
    return changed


def _files(text: str) -> Iterator[tuple[str | None, str | None, list[list[str]]]]:
    """
    Yield the old path, the new path and the hunks of each file of a diff.
    """
    lines = text.splitlines(keepends=True)
    index = 0
    while index + 1 < len(lines):
        if not (lines[index].startswith("--- ") and lines[index + 1].startswith("+++ ")):
            index += 1
            continue
        old, new = _path(lines[index]), _path(lines[index + 1])
        hunks: list[list[str]] = []
        index += 2
        while index < len(lines) and (header := _HUNK.match(lines[index])):
            hunk, index = _hunk(lines, index + 1, [int(header[group] or 1) for group in (2, 4)])
            hunks.append(hunk)
        yield old, new, hunks


def _hunk(lines: Sequence[str], index: int, left: list[int]) -> tuple[list[str], int]:
    """
    Return a hunk's lines and where it ends; ``left`` says how many lines of either side it has.
    """
    hunk: list[str] = []
    while index < len(lines) and (any(left) or lines[index].startswith("\\")):
        line = lines[index] if lines[index] != "\n" else " \n"  # editors strip the blank
        index += 1
        if line.startswith("\\"):  # no newline at the end of the line before
            hunk[-1] = hunk[-1].rstrip("\n")
            continue
        left[0] -= line[0] in " -"
        left[1] -= line[0] in " +"
        hunk.append(line)
    if any(left):
        raise FaultError("a hunk is cut short")
    return hunk, index


def _path(line: str) -> str | None:
    name = line[4:].split("\t", maxsplit=1)[0].strip()
    return None if name == "/dev/null" else name.partition("/")[2] if name[:2] in ("a/", "b/") else name


def _with_hunks(path: str, lines: list[str], hunks: Sequence[Sequence[str]]) -> str:
    """
    Replace what each hunk takes away, wherever after the last one it stands; line numbers drift.
    """
    done: list[str] = []
    for hunk in hunks:
        old = [line[1:] for line in hunk if line[0] in " -"]
        at = next((start for start in range(len(lines) + 1) if lines[start : start + len(old)] == old), None)
        if at is None:
            raise FaultError(f"{path}: the code that it changes is no longer there; write it anew")
        done += [*lines[:at], *(line[1:] for line in hunk if line[0] in " +")]
        lines = lines[at + len(old) :]
    return "".join([*done, *lines])
