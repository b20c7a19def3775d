"""
Small edits of JSON that a human wrote: what is not edited keeps its bytes.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from oraclekeep.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_PIECE: Final = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\],:]|[^\s{}\[\],:"]+')


@dataclass(frozen=True, slots=True)
class _Span:
    start: int
    end: int


def append_to_list(path: str, text: str, key: str, items: Sequence[object]) -> str:
    """
    Return the text of a JSON object with items added to the list under one of its keys.

    Raises `ConfigError` where the text is not an object, or the key holds something else.
    """
    try:
        value = json.loads(text.removeprefix("\ufeff"))
    except ValueError as error:
        raise ConfigError(
            f"{path}:{getattr(error, 'lineno', 1)}: not JSON that can be read: {error}"
        ) from error
    if not isinstance(value, dict) or not isinstance(value.get(key) or [], list):
        raise ConfigError(f"{path}:1: {key!r} must be a list in a mapping")
    newline = "\r\n" if "\r\n" in text else "\n"
    found = re.search(r"\n([ \t]+)\S", text)
    indent = found[1] if found else "  "
    added = f",{newline}".join(_shifted(item, indent, newline) for item in items)
    whole = f"[{newline}{added}{newline}{indent}]"
    spans = dict(_members(text))
    if value.get(key):
        last = text.rindex("]", spans[key].start, spans[key].end)
        return _insert(text, len(text[:last].rstrip()), f",{newline}{added}")
    if key in spans:
        return text[: spans[key].start] + whole + text[spans[key].end :]
    end = len(text[: text.rindex("}")].rstrip())
    comma = "," if value else ""
    tail = "" if "\n" in text[end : text.rindex("}")] else newline
    return _insert(text, end, f"{comma}{newline}{indent}{json.dumps(key)}: {whole}{tail}")


def _shifted(item: object, indent: str, newline: str) -> str:
    lines = json.dumps(item, indent=indent, ensure_ascii=False).split("\n")
    return newline.join(f"{indent}{indent}{line}" for line in lines)


def _insert(text: str, at: int, added: str) -> str:
    return text[:at] + added + text[at:]


def _members(text: str) -> Iterator[tuple[str, _Span]]:
    """
    Yield the keys of the outermost object with the places of their values.
    """
    depth, key, start, end = 0, "", -1, 0
    for match in _PIECE.finditer(text):
        piece = match[0]
        if depth == 1 and piece in ",}" and start >= 0:
            yield key, _Span(start, end)
            start = -1
        elif depth == 1 and piece == ":":
            start = 0  # the value begins with the next piece
        elif depth == 1 and start < 0 and piece.startswith('"'):
            key = json.loads(piece)
        elif start == 0:
            start = match.start()
        depth += (piece in "{[") - (piece in "}]")
        end = match.end()
