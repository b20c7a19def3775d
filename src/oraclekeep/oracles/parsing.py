"""
Bytes become a syntax tree, as Python itself would read them.
"""

from __future__ import annotations

import ast
import functools
import io
import re
import tokenize
import warnings
from typing import Final


class Unparsable(Exception):  # noqa: N818  # no failure of ours: reported as a finding, or as exit 2 for newer syntax
    """
    A Python file that is not Python, with its line and the parser's words.
    """

    def __init__(self, path: str, line: int, words: str, *, newer: bool) -> None:
        super().__init__(f"{path}:{line}: {words}")
        self.path, self.line, self.words, self.newer = path, line, words, newer


def parse(path: str, data: bytes) -> ast.Module:
    """
    Parse bytes, honouring a byte order mark and a coding cookie.  The tree is shared: nobody changes it.

    Raises `Unparsable`.
    """
    return _parse(path, data)


@functools.lru_cache(maxsize=4096)
def _parse(path: str, data: bytes) -> ast.Module:
    """
    Several readers want the same file; its bytes say all there is to know.
    """
    return parse_anew(path, data)


def parse_anew(path: str, data: bytes) -> ast.Module:
    """
    Parse bytes into a tree of the caller's own.

    Raises `Unparsable`.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a bad escape in the user's file is not our warning
            return ast.parse(data, filename=path)
    except SyntaxError as error:
        line = error.lineno or 1
        raise Unparsable(path, line, error.msg, newer=_is_newer(data, line)) from error
    except (ValueError, RecursionError, MemoryError) as error:
        raise Unparsable(path, 1, str(error) or type(error).__name__, newer=False) from error


#: Syntax of Python versions after 3.11; a kit that runs on an older one cannot judge such a file.
_NEWER: Final = re.compile(
    r"""^\s*(type\s+\w+.*=|(async\s+)?def\s+\w+\[|class\s+\w+\[|except\s+\w[\w.]*\s*,\s*\w[\w.]*.*:)|\bt["']|\{[^}'"]*(["'])[^}]*\1[^}]*\}""",
    re.VERBOSE,
)


def _is_newer(data: bytes, line: int) -> bool:
    lines = text_of(data).splitlines()
    return any(_NEWER.search(text) for text in lines[max(0, line - 2) : line])


def text_of(data: bytes) -> str:
    """
    Decode a source file as Python would; bytes that do not fit become replacement characters.
    """
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
    except SyntaxError:
        encoding = "utf-8"
    return data.decode(encoding, "replace").replace("\r\n", "\n").replace("\r", "\n")
