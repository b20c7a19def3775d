"""
The words of one shell command: assignments in front, scripts inside, and what ends in failure by itself.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

ASSIGNMENT: Final = re.compile(r"([A-Za-z_]\w*)\+?=(.*)", re.DOTALL)
_SHELLS: Final = frozenset({"bash", "sh", "dash", "zsh", "ash", "ksh"})


def is_failure(words: tuple[str, ...]) -> bool:
    """
    Tell whether a command ends in failure by itself.
    """
    match words:
        case ["false", *_] | ["exit" | "return"]:
            return words[0] == "false" or len(words) == 1
        case ["exit" | "return", code, *_]:
            return code != "0"
        case ["die" | "fail" | "error" | "fatal" | "abort", *_]:
            return True
        case ["kill", *_]:
            return True
        case _:
            return False


def split_env(words: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """
    Return the assignments in front of a command, and the command.
    """
    count = 0
    while count < len(words) and ASSIGNMENT.fullmatch(words[count]):
        count += 1
    return words[:count], words[count:]


def inline_script(words: tuple[str, ...]) -> str | None:
    """
    Return the text that `bash -c TEXT` runs.
    """
    if words[0].rpartition("/")[2] not in _SHELLS:
        return None
    for place, word in enumerate(words[1:], 1):
        if (
            word.startswith("-")
            and not word.startswith("--")
            and word.endswith("c")
            and place + 1 < len(words)
        ):
            return words[place + 1]
    return None


def substitutions(word: str) -> Iterator[str]:
    """
    Yield the scripts whose output a word takes: `$(...)`.
    """
    place = 0
    while (start := word.find("$(", place)) >= 0:
        depth, place = 0, start + 1
        while place < len(word):
            depth += {"(": 1, ")": -1}.get(word[place], 0)
            place += 1
            if depth == 0:
                break
        inner = word[start + 2 : place - 1]
        if not inner.startswith("("):  # arithmetic
            yield inner
