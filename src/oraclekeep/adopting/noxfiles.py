"""
What a noxfile says, read without running it: its sessions, and what each installs.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

#: Options of pip that go with the next word.
_WITH_VALUE: Final = ("-e", "--editable", "-r", "--requirement", "-c", "--constraint")


@dataclass(frozen=True, slots=True)
class Session:
    """
    One session of a noxfile.
    """

    name: str
    line: int
    node: ast.FunctionDef

    def installs(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """
        Return what it installs where that is written out: lines as a requirements file has them, and groups.
        """
        lines: list[str] = []
        groups: list[str] = []
        for call in ast.walk(self.node):
            if not isinstance(call, ast.Call) or getattr(call.func, "attr", "") != "install":
                continue
            words = [word for word in map(_text, call.args) if word]
            lines += _lines(words)
            starred = (each.value for each in call.args if isinstance(each, ast.Starred))
            groups += [
                word
                for inner in starred
                if isinstance(inner, ast.Call) and getattr(inner.func, "attr", "") == "dependency_groups"
                for word in map(_text, inner.args[1:])
                if word
            ]
        return tuple(lines), tuple(groups)


def _text(node: ast.expr) -> str:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def _lines(words: Iterable[str]) -> Iterator[str]:
    rest = iter(words)
    for word in rest:
        yield f"{word} {next(rest, '')}" if word in _WITH_VALUE else word


def sessions_of(module: ast.Module) -> Iterator[Session]:
    """
    Yield the functions that `nox.session` decorates, by the names that Nox knows them by.
    """
    for node in module.body:
        if isinstance(node, ast.FunctionDef):
            yield from _decorated(node)


def _decorated(node: ast.FunctionDef) -> Iterator[Session]:
    for each in node.decorator_list:
        call = each.func if isinstance(each, ast.Call) else each
        if getattr(call, "attr", getattr(call, "id", "")) != "session":
            continue
        keywords = each.keywords if isinstance(each, ast.Call) else []
        given = [_text(key.value) for key in keywords if key.arg == "name" and _text(key.value)]
        yield Session(given[0] if given else node.name, node.lineno, node)
