"""
Paths and texts of files: `os.path`, `open` and `pathlib` ask the same questions in other words.
"""

from __future__ import annotations

import functools
from typing import Final

from oraclekeep.oracles import terms
from oraclekeep.oracles.terms import Term

#: Questions of `os.path` -> methods of a path.
_METHODS: Final = {"os.path.exists": "exists", "os.path.isfile": "is_file", "os.path.isdir": "is_dir"}
#: Methods that only paths have: what they are asked of may be spelt as a text.
_OF_PATHS: Final = frozenset({"exists", "is_file", "is_dir", "read_text", "read_bytes", "stat", "iterdir"})
#: What only spells the place of the test's own file otherwise.
_PLACING: Final = frozenset({"os.path.abspath", "os.path.realpath"})
_PLACED: Final = frozenset({"resolve", "absolute"})
_OWN: Final = terms.name("__file__")
_OWN_PATH: Final = terms.call(terms.name("pathlib.Path"), (_OWN,))
#: What reads a value from an open file -> what reads it from the text.
_LOADING: Final = {"json.load": "json.loads"}
_SPELLINGS: Final = frozenset({"str", "os.fspath", "pathlib.Path", "os.fsdecode"})


#: The last names of calls that may ask for a file or a path.
ASKING: Final = frozenset(
    {"join", "joinpath", "exists", "isfile", "isdir", "read", "load", "mkdtemp", "TemporaryDirectory"}
    | {"str", "fspath", "Path", "read_text", "write_text", "write", "check", "is_file", "is_dir"}
    | {
        "read_bytes",
        "stat",
        "iterdir",
        "getsize",
        "listdir",
        "dirname",
        "abspath",
        "realpath",
        "resolve",
        "absolute",
    }
)
#: A folder of the test's own, whoever makes it.
FOLDER: Final = Term("fixture", "tmp_path")
_OLD_FOLDER: Final = Term("fixture", "tmpdir")
_MAKING: Final = frozenset({"tempfile.mkdtemp", "tempfile.TemporaryDirectory"})
#: Methods of the paths that `tmpdir` gives -> those of pathlib.
_OLD_METHODS: Final = {"read": "read_text", "write": "write_text", "check": "exists"}


def spelt(term: Term) -> Term | None:
    """
    Return a path, or a question about a file, in the words of pathlib; None where it is none.
    """
    if terms.called(term) in _MAKING:
        return FOLDER
    return _of_own_folder(term) or _asked(term)


def _of_own_folder(term: Term) -> Term | None:
    """
    Return what is asked of a path in the test's own folder.
    """
    method, places = terms.method(term), terms.positional(term)
    if terms.called(term) in _SPELLINGS and len(term.args) == 2 and _root(places[0]) is not None:
        return terms.replace(places[0], _OLD_FOLDER, FOLDER)
    base = term.args[0].args[0] if method else None
    root = _root(base) if base is not None else None
    if base is None or root is None:
        return None
    path = terms.replace(base, _OLD_FOLDER, FOLDER)
    if method == "join" and len(places) == len(term.args) - 1:
        return functools.reduce(lambda held, part: Term("bin", "Div", (held, part)), places, path)
    if method in {"read_text", "write_text"} or (method in _OLD_METHODS and not terms.keyword(term, "mode")):
        kept = (arg for arg in term.args[1:] if arg != _UTF8 and arg.value != "ensure")
        return Term("call", "", (terms.attr(path, _OLD_METHODS.get(method, method)), *kept))
    return None


_UTF8: Final = Term("kw", "encoding", (terms.const("utf-8"),))


def _root(path: Term) -> Term | None:
    while path.op == "bin" and path.value == "Div":
        path = path.args[0]
    return path if path in (FOLDER, _OLD_FOLDER) else None


def _asked(term: Term) -> Term | None:
    name, places = terms.called(term), terms.positional(term)
    if name == "os.path.join" and len(places) > 1 and len(places) == len(term.args) - 1:
        return functools.reduce(
            lambda base, part: Term("bin", "Div", (base, part)), places[1:], _bare(places[0])
        )
    if (own := _of_own_file(term)) is not None:
        return own
    if name in _METHODS and len(places) == 1:
        return terms.call(terms.attr(_bare(places[0]), _METHODS[name]))
    if name == "os.path.getsize" and len(places) == 1:
        return terms.attr(terms.call(terms.attr(_bare(places[0]), "stat")), "st_size")
    if name == "os.listdir" and len(places) == 1:
        entry = Term("each", "", (terms.call(terms.attr(_bare(places[0]), "iterdir")),))
        return Term("comp", "list", (terms.attr(entry, "name"),))
    if terms.method(term) in _OF_PATHS and (path := _bare(term.args[0].args[0])) != term.args[0].args[0]:
        return Term("call", "", (Term("attr", terms.method(term), (path,)), *term.args[1:]))
    if terms.method(term) == "joinpath" and places:
        return functools.reduce(
            lambda base, part: Term("bin", "Div", (base, part)), places, term.args[0].args[0]
        )
    handle = term.args[0].args[0] if terms.method(term) == "read" and len(term.args) == 1 else None
    if name in _LOADING and len(places) == len(term.args) - 1 == 1:
        handle = places[0]
    if handle is None or (opened := _opened(handle)) is None:
        return None
    path, mode = opened
    text = terms.call(terms.attr(path, "read_bytes" if "b" in mode else "read_text"))
    return terms.call(terms.name(_LOADING[name]), (text,)) if name in _LOADING else text


def reading_of(writing: Term) -> Term | None:
    """
    Return the method that reads back what a call writes into a file from its start; None where it does not.
    """
    last = terms.method(writing)
    if last in {"write_text", "write_bytes"}:
        return terms.attr(writing.args[0].args[0], last.replace("write", "read"))
    opened = _opened(writing.args[0].args[0]) if last == "write" else None
    if opened is None or opened[1].strip("bt") not in {"w", "w+", "x"}:
        return None
    return terms.attr(opened[0], "read_bytes" if "b" in opened[1] else "read_text")


def _of_own_file(term: Term) -> Term | None:
    """
    Return the place of the test's own file, or the folder that it is in.
    """
    name, places = terms.called(term), terms.positional(term)
    if name in _PLACING and places == (_OWN,):
        return _OWN_PATH
    if terms.method(term) in _PLACED and len(term.args) == 1 and _is_own(term.args[0].args[0]):
        return term.args[0].args[0]
    if name == "os.path.dirname" and len(places) == 1 and (places[0] == _OWN or _is_own(places[0])):
        return terms.attr(_OWN_PATH if places[0] == _OWN else places[0], "parent")
    return None


def _is_own(path: Term) -> bool:
    while path.op == "attr" and path.value == "parent":
        path = path.args[0]
    return path == _OWN_PATH


def _bare(path: Term) -> Term:
    """
    Return a path without the calls that only spell it otherwise.
    """
    while terms.called(path) in _SPELLINGS and len(path.args) == 2:
        path = path.args[1]
    return path


def _opened(handle: Term) -> tuple[Term, str] | None:
    """
    Return the path and the mode of an open file.
    """
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
