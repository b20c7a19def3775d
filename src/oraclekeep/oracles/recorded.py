"""
What lies in a file of the tree, as the value that a test compares: golden files, and syrupy's snapshots.
"""

from __future__ import annotations

import ast
import json
import posixpath
import re
import textwrap
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from oraclekeep.oracles import terms
from oraclekeep.oracles.checks import Kind
from oraclekeep.oracles.formatting import without_tail
from oraclekeep.oracles.terms import Term

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from oraclekeep.model import Snapshot
    from oraclekeep.oracles.checks import Check

SNAPSHOT: Final = Term("fixture", "snapshot")
_READS: Final = {"read_text": False, "read_bytes": True}
#: Calls that spell the same path in another way.
_SAME_PLACE: Final = frozenset({"pathlib.Path", "os.path.abspath", "os.path.realpath", "str"})
_LONGEST: Final = 1 << 16
_ENTRY: Final = re.compile(r"^# name: (.*)\n((?:(?!# ---$).*\n)*)", re.MULTILINE)


def entries(data: bytes) -> dict[str, str]:
    """
    Return the entries of a file of snapshots by their names.
    """
    text = data.decode("utf-8", "replace")
    return {found[1]: textwrap.dedent(found[2]).strip() for found in _ENTRY.finditer(text)}


def with_contents(tree: Snapshot, nodeid: str, check: Check, beside: Sequence[Check]) -> Check | None:
    """
    Return a check with what the files say in the place of reading them; None where it reads none.

    ``beside`` are all checks of the test: a snapshot is found by its number among them.
    """
    if check.kind is Kind.EQUAL and check.expected == SNAPSHOT:
        recorded = _snapshot(tree, nodeid, check, beside)
        return replace(check, expected=recorded) if recorded is not None else None
    sides = [_read(tree, check.place.path, side) for side in (check.subject, check.expected)]
    if sides == [check.subject, check.expected]:
        return None
    return _without_ends(replace(check, subject=sides[0], expected=sides[1]))


def _without_ends(check: Check) -> Check:
    """
    What is put to the end of both sides says nothing.
    """
    subject, expected = check.subject, check.expected
    summed = subject.op == "fstr" or (subject.op == "bin" and subject.value == "Add")
    if check.kind is not Kind.EQUAL or not summed or {expected.op, subject.args[-1].op} != {"const"}:
        return check
    wanted, end = terms.literal(expected), terms.literal(subject.args[-1])
    if not isinstance(wanted, str) or not isinstance(end, str):
        return check
    tail = end if subject.op == "bin" else end[len(end.rstrip("\n")) :]
    if not wanted.endswith(tail):
        return check
    start = subject.args[0] if subject.op == "bin" else without_tail(subject, tail)
    return replace(check, subject=start, expected=terms.const(wanted.removesuffix(tail)))


def _read(tree: Snapshot, home: str, term: Term) -> Term:
    if not any(one.op == "attr" and one.value in _READS for one in terms.walk(term)):
        return term
    last = terms.method(term)
    if last in _READS and (path := _path(home, term.args[0].args[0])) is not None:
        entry = tree.entry(path)
        data = tree.read(path) if entry is not None and not entry.is_link else None
        if data is not None and len(data) <= _LONGEST:
            return terms.const(data) if _READS[last] else _text(data) or term
    made = Term(term.op, term.value, tuple(_read(tree, home, arg) for arg in term.args))
    return _loaded(made) or made


def _text(data: bytes) -> Term | None:
    try:
        return terms.const(data.decode("utf-8").replace("\r\n", "\n"))
    except UnicodeDecodeError:
        return None


def _loaded(term: Term) -> Term | None:
    if terms.called(term) != "json.loads" or len(term.args) != 2 or term.args[1].op != "const":
        return None
    try:
        return terms.of(json.loads(terms.literal(term.args[1])))
    except (ValueError, TypeError, RecursionError):
        return None


def _path(home: str, term: Term) -> str | None:
    """
    Return where a path leads that is put together from the file's own, or from the root of the tree.
    """
    if term == terms.name("__file__"):
        return home
    if term.op == "const":
        text = terms.literal(term)
        return posixpath.normpath(text) if isinstance(text, str) and not text.startswith("/") else None
    if term.op == "attr" and term.value == "parent":
        inner = _path(home, term.args[0])
        return posixpath.dirname(inner) if inner is not None else None
    if term.op == "bin" and term.value == "Div":
        start, end = _path(home, term.args[0]), _path(home, term.args[1])
        return None if start is None or end is None else posixpath.normpath(posixpath.join(start, end))
    if (
        terms.called(term) in {"pathlib.Path", "os.path.abspath", "os.path.realpath", "str"}
        and len(term.args) == 2
    ):
        return _path(home, term.args[1])
    if terms.called(term) == "os.path.dirname" and len(term.args) == 2:
        inner = _path(home, term.args[1])
        return posixpath.dirname(inner) if inner is not None else None
    if terms.method(term) in {"resolve", "absolute"}:
        return _path(home, term.args[0].args[0])
    return None


def names_of(nodeid: str) -> str:
    """
    Return what syrupy calls the entries of a test: `TestCase.test_name`.
    """
    return ".".join(nodeid.split("::")[1:])


def file_of(nodeid: str) -> str:
    """
    Return where syrupy keeps the snapshots of a test.
    """
    folder, _, name = nodeid.split("::", maxsplit=1)[0].rpartition("/")
    return posixpath.join(folder, "__snapshots__", f"{name.removesuffix('.py')}.ambr")


def _snapshot(tree: Snapshot, nodeid: str, check: Check, beside: Sequence[Check]) -> Term | None:
    asked = [one for one in beside if one.expected == SNAPSHOT]
    number = next((index for index, one in enumerate(asked) if one is check), None)
    data = tree.read(file_of(nodeid))
    if number is None or data is None:
        return None
    text = entries(data).get(names_of(nodeid) + (f".{number}" if number else ""))
    try:
        return _value(ast.parse(text or "", mode="eval").body)
    except (SyntaxError, _OtherForm):
        return None


class _OtherForm(Exception):  # noqa: N818  # a signal
    """
    The entry is no plain value.
    """


def _value(node: ast.expr) -> Term:
    match node:
        case ast.Constant(value=value):
            return terms.const(value)
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as value)):
            return terms.const(-value)
        case ast.Call(func=ast.Name(id="dict"), args=[ast.Dict(keys=keys, values=values)]):
            return Term("dict", "", tuple(sorted(_pairs(keys, values))))
        case ast.Call(
            func=ast.Name(id="list" | "tuple" as kind), args=[ast.List(elts=items) | ast.Tuple(elts=items)]
        ):
            return Term(kind, "", tuple(map(_value, items)))
        case ast.Call(func=ast.Name(id="set"), args=[ast.Set(elts=items)]):
            return Term("set", "", tuple(sorted(map(_value, items))))
        case _:
            raise _OtherForm


def _pairs(keys: list[ast.expr | None], values: list[ast.expr]) -> Iterator[Term]:
    for key, value in zip(keys, values, strict=True):
        if key is None:
            raise _OtherForm
        yield Term("pair", "", (_value(key), _value(value)))
