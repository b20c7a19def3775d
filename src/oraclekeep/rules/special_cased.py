"""
`test-special-cased`: production code that asks whether it is tested, knows the answers, or equals everything.
"""

from __future__ import annotations

import ast
from collections import Counter
from typing import TYPE_CHECKING, Final

from oraclekeep.errors import MissingEvidence
from oraclekeep.machinery.equality import always_equal, tolerant
from oraclekeep.machinery.pysource import PyFile, load, load_or_none
from oraclekeep.machinery.undertest import Sign, signs
from oraclekeep.model import Finding
from oraclekeep.oracles.parsing import Unparsable
from oraclekeep.rules import rule
from oraclekeep.rules.answers import answer_tables

if TYPE_CHECKING:
    from collections.abc import Iterator

    from oraclekeep.rules import Patch

_ADVICE: Final = "Let the code do the same under test as elsewhere; tests pass what they need as arguments."


@rule("test-special-cased")
def special_cases(patch: Patch) -> Iterator[Finding]:
    """
    Report what is new in production code and has a use only under test.
    """
    paths = [
        delta.path
        for delta in patch.deltas
        if delta.path.endswith(".py") and patch.layout.is_production(delta.path)
    ]
    modules = {path: module for path in paths if (module := _head_module(patch, path)) is not None}
    yield from (finding for path in paths for finding in _unparsable(patch, path))
    if not modules:
        return
    found = [(path, sign) for path, module in modules.items() for sign in _signs(patch, module)]
    known = Counter(
        sign.key
        for path in (paths if found else ())
        if (module := load_or_none(patch.base, path)) is not None
        for sign in _signs(patch, module)
    )
    for path, sign in found:
        if known[sign.key] > 0:
            known[sign.key] -= 1
        else:
            yield _finding(path, sign.line, f"{sign.what}.", sign.key)
    for path, module in modules.items():
        yield from _near_enough(path, module, load_or_none(patch.base, path))
    for match in answer_tables(patch, modules):
        yield _finding(match.path, match.line, match.what, match.text)


def _near_enough(path: str, module: PyFile, base: PyFile | None) -> Iterator[Finding]:
    """
    Report a class that was equal to the same only, or is compared as a number, and now equals what is near.
    """
    found = list(tolerant(module))
    known = {one.owner for one in tolerant(base)} if found and base is not None else set()
    stood = {node.name for node in base.of(ast.ClassDef)} if found and base is not None else set()
    for one in found:
        if one.owner not in known and (one.of_numbers or one.owner in stood):
            what = f"{one.owner}.__eq__ takes near values for equal ones: each check by `==` can fail less."
            yield _finding(path, one.line, what, one.text)


def _finding(path: str, line: int, what: str, now: str) -> Finding:
    return Finding(path, line, "test-special-cased", message=what, advice=_ADVICE, after=now[:300])


def _head_module(patch: Patch, path: str) -> PyFile | None:
    try:
        return load(patch.head, path)
    except Unparsable:
        return None


def _unparsable(patch: Patch, path: str) -> Iterator[Finding]:
    if patch.head.entry(path) is None:
        return
    try:
        load(patch.head, path)
    except Unparsable as error:
        if load_or_none(patch.base, path) is not None:
            what = f"{path} no longer parses ({error.words}), so what it does under test cannot be told."
            yield _finding(path, error.line, what, "")
        elif patch.base.entry(path) is None and not {b"{{", b"{%"} & _marks(patch, path):
            raise MissingEvidence(f"{error}; the gate cannot read this production file: mend it") from error


def _marks(patch: Patch, path: str) -> set[bytes]:
    data = patch.head.read(path) or b""
    return {mark for mark in (b"{{", b"{%") if mark in data}


def _signs(patch: Patch, module: PyFile) -> Iterator[Sign]:
    yield from signs(module, patch.layout.module_name(module.path).split(".")[0])
    for line, text, what in always_equal(module):
        yield Sign(text, line, what)
