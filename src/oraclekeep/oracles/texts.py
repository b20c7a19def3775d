"""
Texts of errors and warnings, however a test gets at them.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from oraclekeep.oracles import terms
from oraclekeep.oracles.checks import Check, Kind
from oraclekeep.oracles.terms import Term

if TYPE_CHECKING:
    from oraclekeep.oracles.checks import Place


def exception_text(op: str, left: Term, right: Term, place: Place, guards: tuple[Term, ...]) -> Check | None:
    """
    Read a comparison with `str(error)` as a check of the error's text.
    """
    for text, other in ((left, right), (right, left)):
        said = (
            _message(text.args[1])
            if terms.called(text) == "str" and len(text.args) == 2
            else _only(text, other)
        )
        if said is not None:
            subject = Term("raised", "", said.args)
            if op == "Eq":
                return Check(Kind.TEXT, subject, other, "exact", guards=guards, place=place)
            if op == "In" and text is right:
                return Check(Kind.TEXT, subject, other, "contains", guards=guards, place=place)
    return None


def _only(text: Term, other: Term) -> Term | None:
    """
    Return the error whose first argument is compared with a text: that is what it says.
    """
    held = text.args[0] if text.op == "index" and text.args[1] == terms.const(0) else None
    if held is None or held.op != "attr" or held.value != "args" or not _is_text(other):
        return None
    return held.args[0] if held.args[0].op == "raised" else None


def _is_text(term: Term) -> bool:
    """
    Return whether a value is a text for certain: written out, or put together from one.
    """
    if term.op == "call" and term.args[0].op == "attr":
        return _is_text(term.args[0].args[0])
    if term.op == "bin":
        return any(map(_is_text, term.args))
    if term.op == "ifexp":
        return all(map(_is_text, term.args[1:]))
    return term.op == "fstr" or (term.op == "const" and term.value[:1] in {"'", '"'})


def _message(term: Term) -> Term | None:
    """
    Return the error, or the warnings, that a text is taken of: `error`, `caught[0].message`.
    """
    if term.op == "attr" and term.value == "message" and term.args[0].op == "index":
        term = term.args[0].args[0]
        return term if term.op == "excinfo" else None
    return term if term.op in {"raised", "excinfo"} else None


def warned(check: Check) -> Check:
    """
    Read a text that turned out to be a warning's message as what it is.
    """
    text = check.kind is Kind.MEMBER and check.detail == "in"
    op, pair = ("In", (check.subject, check.expected)) if text else ("Eq", (check.subject, check.expected))
    if not text and check.kind is not Kind.EQUAL:
        return check
    found = exception_text(op, *pair, check.place, check.guards)
    if found is None:
        return check
    return replace(
        check, kind=found.kind, subject=found.subject, expected=found.expected, detail=found.detail
    )


def gives_text(term: Term) -> bool:
    """
    Return whether a value is a text for certain, going by what it is called.
    """
    return (terms.method(term) or terms.called(term) or term.value) in _TEXTS


#: Attributes, methods and functions that give texts.
_TEXTS: Final = frozenset(
    {"out", "err", "text", "output", "stdout", "stderr", "message", "getvalue", "read_text", "decode", "join"}
    | {"str", "repr", "format", "getMessage", "lower", "upper", "strip", "json.dumps", "render"}
)
