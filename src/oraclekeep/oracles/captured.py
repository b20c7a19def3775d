"""
What a test prints, however it is caught: `capsys`, `redirect_stdout`, a patched `sys.stdout`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from oraclekeep.oracles import terms
from oraclekeep.oracles.terms import Term

if TYPE_CHECKING:
    from oraclekeep.oracles.values import Scope

BUFFER: Final = terms.call(terms.name("io.StringIO"))
_CAPTURES: Final = tuple(Term("fixture", name) for name in ("capsys", "capfd"))
_STREAMS: Final = ("out", "err")
_REDIRECTING: Final = {"contextlib.redirect_stdout": "out", "contextlib.redirect_stderr": "err"}
_PATCHED: Final = {"sys.stdout": "out", "sys.stderr": "err"}


def _stream(name: str) -> Term:
    return Term("captured", name, (Term("fixture", "capsys"),))


def buffer_of(target: Term, told: tuple[Term, ...]) -> Term | None:
    """
    Return the buffer that a patch puts in the place of a standard stream.
    """
    shown = str(terms.literal(target)) if terms.is_literal(target) else ""
    if target.op == "attr":
        shown = f"{target.args[0].value}.{target.value}"
    made = any(one == Term("kw", "new_callable", (BUFFER.args[0],)) for one in told)
    stream = _PATCHED.get(shown)
    return Term("buffer", stream) if stream and made else None


def redirect(term: Term, scope: Scope) -> Term | None:
    """
    Return the buffer that `redirect_stdout` writes to; the local that held it knows it from now on.
    """
    stream = _REDIRECTING.get(terms.called(term))
    given = term.args[1] if stream and len(term.args) == 2 else None
    if stream is None or given != BUFFER:
        return None
    buffer = Term("buffer", stream)
    for name, value in list(scope.names.items()):
        if value == BUFFER:
            scope.names[name] = buffer
    return buffer


def read(term: Term) -> Term | None:
    """
    Return what was printed, where a term reads it from a buffer or from the fixture.
    """
    if terms.method(term) == "getvalue" and term.args[0].args[0].op == "buffer":
        return _stream(term.args[0].args[0].value)
    if term.op == "attr" and term.value in _STREAMS and _is_read(term.args[0]):
        return _stream(term.value)
    if term.op == "index" and _is_read(term.args[0]) and term.args[1].value in {"0", "1"}:
        return _stream(_STREAMS[int(term.args[1].value)])
    return None


def _is_read(term: Term) -> bool:
    return terms.method(term) == "readouterr" and term.args[0].args[0] in _CAPTURES
