"""
Small edits of YAML that a human wrote: rows are added to a list of the outermost mapping, all else stays.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Final

from oraclekeep.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

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
    return newline.join([*lines[:end], *_written(rows, indent), *lines[end:]]) + newline


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


def _written(rows: Sequence[Mapping[str, object]], indent: str) -> list[str]:
    found = []
    for row in rows:
        for number, (name, value) in enumerate(row.items()):
            found.append(f"{indent}{'  ' if number else '- '}{name}: {_scalar(value)}")
    return found


def _scalar(value: object) -> str:
    if isinstance(value, str) and _PLAIN.fullmatch(value) and value.lower() not in _NOT_TEXT:
        return value
    if isinstance(value, list):
        return f"[{', '.join(map(_scalar, value))}]"
    return json.dumps(value, ensure_ascii=False)
