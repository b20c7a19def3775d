"""
Paths and texts of files: `os.path`, `open` and `pathlib` ask the same questions in other words.
"""

from __future__ import annotations

import functools
from typing import Final

from oraclekeep.oracles import terms
from oraclekeep.oracles.terms import Term

#: Questions of `os.path` -> methods of a path.
_METHODS: Final = {
    "os.path.exists": "exists",
    "os.path.isfile": "is_file",
    "os.path.isdir": "is_dir",
}
_SPELLINGS: Final = frozenset({"str", "os.fspath", "pathlib.Path", "os.fsdecode"})


def spelt(term: Term) -> Term | None:
    """
    Return a question about a file as a method of its path, or None where it is none.
    """
    name, places = terms.called(term), terms.positional(term)
    if name == "os.path.join" and len(places) > 1 and len(places) == len(term.args) - 1:
        return functools.reduce(
            lambda base, part: Term("bin", "Div", (base, part)), places[1:], _bare(places[0])
        )
    if name in _METHODS and len(places) == 1:
        return terms.call(terms.attr(_bare(places[0]), _METHODS[name]))
    if terms.method(term) == "joinpath" and places:
        return functools.reduce(
            lambda base, part: Term("bin", "Div", (base, part)), places, term.args[0].args[0]
        )
    if terms.method(term) == "read" and len(term.args) == 1 and (opened := _opened(term)) is not None:
        path, mode = opened
        return terms.call(terms.attr(path, "read_bytes" if "b" in mode else "read_text"))
    return None


def _bare(path: Term) -> Term:
    """
    Return a path without the calls that only spell it otherwise.
    """
    while terms.called(path) in _SPELLINGS and len(path.args) == 2:
        path = path.args[1]
    return path


def _opened(read: Term) -> tuple[Term, str] | None:
    """
    Return the path and the mode of the file that `read` is asked of.
    """
    handle = read.args[0].args[0]
    if handle.op == "entered":
        handle = handle.args[0]
    if terms.called(handle) in {"open", "io.open"}:
        path, place = terms.argument(handle, 0, "file"), 1
    elif terms.method(handle) == "open":
        path, place = handle.args[0].args[0], 0
    else:
        return None
    mode = terms.argument(handle, place, "mode")
    if path is None or (mode is not None and not terms.is_literal(mode)):
        return None
    return _bare(path), str(terms.literal(mode)) if mode is not None else "r"
