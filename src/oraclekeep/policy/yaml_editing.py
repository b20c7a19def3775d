"""
Small edits of YAML that a human wrote: rows are added to a list of the outermost mapping, all else stays.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Final

from oraclekeep.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

_EMPTY: Final = re.compile(r"(\[\s*\]|null|~)?\s*(#.*)?")
_PLAIN: Final = re.compile(r"\d{4}-\d\d-\d\d|[A-Za-z_][A-Za-z0-9_./-]*")
#: Words that YAML would not take for text.
_NOT_TEXT: Final = frozenset({"true", "false", "yes", "no", "on", "off", "null", "y", "n"})


def append_rows(path: str, text: str, key: str, rows: Sequence[Mapping[str, object]]) -> str:
    """
    Return the text with rows at the end of the list under one of the outermost keys.

    Raises `ConfigError` where that list is written in a form that lines can't be added to.
    """
    newline = "\r\n" if "\r\n" in text else "\n"
    lines = text.splitlines()
    at = next((index for index, line in enumerate(lines) if re.match(rf"{re.escape(key)}\s*:", line)), None)
    if at is None:
        while lines and not lines[-1].strip():
            lines.pop()
        lines.append(f"{key}:")
        at = len(lines) - 1
    value = lines[at].partition(":")[2].strip()
    if not _EMPTY.fullmatch(value):
        raise ConfigError(f"{path}:{at + 1}: {key} is written in one line; write it with a row for each item")
    if value and not value.startswith("#"):
        comment = value.partition("#")
        lines[at] = f"{key}:" + (f"  #{comment[2]}" if comment[1] else "")
    end = _end(lines, at)
    indent = _indent(lines[at + 1 : end])
    return newline.join([*lines[:end], *written(rows, indent), *lines[end:]]) + newline


def _end(lines: Sequence[str], at: int) -> int:
    """
    Return the index after the last line of a key's list.
    """
    end = at + 1
    for index in range(at + 1, len(lines)):
        line = lines[index]
        if line.strip() and not line.startswith((" ", "\t", "- ", "#")) and line.strip() != "-":
            break
        if line.strip() and not line.startswith("#"):
            end = index + 1
    return end


def _indent(lines: Sequence[str]) -> str:
    found = next((match for line in lines if (match := re.match(r"( *)-(\s|$)", line))), None)
    return found[1] if found else "  "


def remove_row(path: str, text: str, key: str, starts: Sequence[int], index: int) -> str:
    """
    Return the text without one row of a list, and without the comments right above it.

    ``starts`` are the lines of all rows of the list, from 1.  Raises `ConfigError` where a row does not begin
    a line of its own.
    """
    lines = text.splitlines(keepends=True)
    at = next((number for number, line in enumerate(lines) if re.match(rf"{re.escape(key)}\s*:", line)), -1)
    for start in starts:
        if at < 0 or start - 1 <= at or not re.match(r" *-(\s|$)", lines[start - 1]):
            raise ConfigError(f"{path}:{start}: the row does not begin a line; take it out by hand")
    firsts = [_with_comments(lines, at, start - 1) for start in starts]
    end = firsts[index + 1] if index + 1 < len(firsts) else _end(lines, at)
    return "".join([*lines[: firsts[index]], *lines[end:]])


def _with_comments(lines: Sequence[str], at: int, start: int) -> int:
    while start - 1 > at and lines[start - 1].lstrip().startswith("#"):
        start -= 1
    return start


def written(rows: Iterable[Mapping[str, object]], indent: str = "  ") -> list[str]:
    """
    Return the lines of a list of rows; checks, and what else may hold mappings, have a line for each item.
    """
    found = []
    for row in rows:
        for number, (name, value) in enumerate(row.items()):
            start = f"{indent}{'  ' if number else '- '}{name}:"
            items = value if isinstance(value, list) else []
            if items and (name == "checks" or any(isinstance(item, dict) for item in items)):
                found += [start, *(f"{indent}    - {_item(item)}" for item in items)]
            else:
                found.append(f"{start} {_scalar(value)}")
    return found


def _item(value: object) -> str:
    """
    A mapping of one key needs no braces of its own.
    """
    if isinstance(value, dict) and len(value) == 1:
        ((name, inner),) = value.items()
        return f"{_scalar(name)}: {_scalar(inner)}"
    return _scalar(value)


def _scalar(value: object) -> str:
    match value:
        case str() if _PLAIN.fullmatch(value) and value.lower() not in _NOT_TEXT:
            return value
        case str():
            return f'"{"".join(map(_letter, value))}"'
        case list():
            return f"[{', '.join(map(_scalar, value))}]"
        case dict():
            return f"{{{', '.join(f'{_scalar(name)}: {_scalar(item)}' for name, item in value.items())}}}"
        case float():  # YAML 1.1 takes 1e-09 for text
            digits, exponent, power = repr(value).partition("e")
            return digits + (".0" if exponent and "." not in digits else "") + exponent + power
        case _:
            return json.dumps(value)


def _letter(letter: str) -> str:
    if letter in '"\\':
        return f"\\{letter}"
    if letter.isprintable():
        return letter
    code = ord(letter)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
