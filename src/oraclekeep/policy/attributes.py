"""
The git attributes that decide what checkout makes of a file's bytes, read from a tree (gitattributes(5)).

`git check-attr` can ask a tree only from Git 2.40 on, and older ones are in use.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from oraclekeep.model import Snapshot

NAME: Final = ".gitattributes"
_CHECKOUT: Final = frozenset({"text", "eol", "crlf", "filter", "ident", "working-tree-encoding"})
_BINARY: Final = ("-diff", "-merge", "-text")
_QUOTED: Final = re.compile(r'"((?:[^"\\]|\\.)*)"\s*(.*)')
_CLASS: Final = re.compile(r"\[([!^]?)(\]?(?:\\.|[^\]\\])*)\]")


@dataclass(frozen=True, slots=True)
class _Line:
    pattern: re.Pattern[str]
    words: tuple[str, ...]


def checkout_attributes(tree: Snapshot, paths: Iterable[str]) -> dict[str, dict[str, str]]:
    """
    Return, for each path, the attributes that change its bytes on the way to disk; `-` means unset.
    """
    files = {
        path.removesuffix(NAME): tree.read(path) for path in tree.under("") if path.rpartition("/")[2] == NAME
    }
    macros = {"binary": _BINARY} | dict(_macros(files.get("")))
    lines = {folder: tuple(_lines(data)) for folder, data in files.items()}
    return {path: _attributes_of(path, lines, macros) for path in paths}


def _attributes_of(
    path: str, lines: Mapping[str, tuple[_Line, ...]], macros: Mapping[str, tuple[str, ...]]
) -> dict[str, str]:
    found: dict[str, str] = {}
    steps = path.split("/")
    for depth in range(len(steps)):  # a file nearer to the path speaks later, and wins
        folder = "".join(f"{step}/" for step in steps[:depth])
        for line in lines.get(folder, ()):
            if line.pattern.fullmatch(path[len(folder) :]):
                _apply(found, line.words, macros)
    return {name: value for name, value in sorted(found.items()) if name in _CHECKOUT}


def _apply(found: dict[str, str], words: Iterable[str], macros: Mapping[str, tuple[str, ...]]) -> None:
    for word in words:
        if word.startswith("!"):
            found.pop(word[1:], None)
        elif word.startswith("-"):
            found[word[1:]] = "-"
        else:
            name, _, value = word.partition("=")
            if name in macros and not value:
                _apply(
                    found, macros[name], {other: words for other, words in macros.items() if other != name}
                )
            found[name] = value or "+"


def _macros(data: bytes | None) -> Iterator[tuple[str, tuple[str, ...]]]:
    for line in _text(data):
        if line.startswith("[attr]"):
            name, *words = line.removeprefix("[attr]").split() or [""]
            yield name, tuple(words)


def _lines(data: bytes | None) -> Iterator[_Line]:
    for line in _text(data):
        quoted = _QUOTED.fullmatch(line)
        pattern, words = (_unquote(quoted[1]), quoted[2]) if quoted else [*line.split(maxsplit=1), ""][:2]
        if not line.startswith("[attr]") and not pattern.startswith("!"):
            yield _Line(_regex(pattern), tuple(words.split()))


def _text(data: bytes | None) -> Iterator[str]:
    for line in (data or b"").decode("utf-8-sig", "surrogateescape").split("\n"):
        if (words := line.strip()) and not words.startswith("#"):
            yield words


def _unquote(text: str) -> str:
    return re.sub(r"\\(.)", r"\1", text)


def _regex(pattern: str) -> re.Pattern[str]:
    """
    Translate a pattern: one without a slash matches a name at any depth, others are anchored at their file.
    """
    anchored = "/" in pattern
    body = "".join(_translate(pattern.removeprefix("/")))
    try:
        return re.compile(body if anchored else f"(?:.*/)?{body}", re.DOTALL)
    except re.error:
        return re.compile(".*", re.DOTALL)  # a class that we cannot read: count it as matching, on both sides


def _translate(pattern: str) -> Iterator[str]:
    at = 0
    while at < len(pattern):
        rest = pattern[at:]
        if rest.startswith("**/") and (at == 0 or pattern[at - 1] == "/"):
            yield "(?:.*/)?"
            at += 3
        elif rest == "**" and at and pattern[at - 1] == "/":
            yield ".*"
            at += 2
        elif rest[0] == "*":
            yield "[^/]*"
            at += len(rest) - len(rest.lstrip("*"))
        elif rest[0] == "?":
            yield "[^/]"
            at += 1
        elif found := _CLASS.match(rest):
            members = re.sub(r"([\[&|~])", r"\\\1", found[2])
            yield f"[{'^' if found[1] else ''}{members}]"
            at += found.end()
        else:
            at += 1 if rest[0] == "\\" and len(rest) > 1 else 0
            yield re.escape(pattern[at])
            at += 1
