"""
Marks and decorators that keep a test from running or from failing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from oraclekeep.oracles import terms
from oraclekeep.oracles.checks import Gate
from oraclekeep.oracles.spelling import fold
from oraclekeep.oracles.terms import TRUE, Term

if TYPE_CHECKING:
    from oraclekeep.oracles.checks import Place


#: Decorators of other libraries that run a failed test again.
_RETRYING: Final = frozenset(
    {
        "flaky.flaky",
        "tenacity.retry",
        "retrying.retry",
        "retry.retry",
        "backoff.on_exception",
        "stamina.retry",
    }
)


def gate_of(term: Term, place: Place) -> Gate | None:
    """
    Read one mark or decorator as a gate, or return None where it is none.
    """
    name = terms.called(term) or (term.value if term.op == "name" else "")
    short = name.rpartition(".")[2]
    if name in _RETRYING:
        return Gate("retry", TRUE, place)
    if not (name.startswith(("pytest.mark.", "unittest.", "pytest.mark")) or ".mark." in name):
        return None
    places = terms.positional(term) if term.op == "call" else ()
    condition = places[0] if places else terms.keyword(term, "condition") if term.op == "call" else None
    match short:
        case "skip":
            return Gate("skip", TRUE, place)
        case "skipif" | "skipIf":
            return _conditional("skip", condition if condition is not None else TRUE, place)
        case "skipUnless":
            return _conditional("skip", _not(condition if condition is not None else TRUE), place)
        case "xfail":
            if condition is not None and is_false(terms.keyword(term, "run") or TRUE):
                return Gate("skip", condition, place)
            return _conditional("xfail", condition if condition is not None else TRUE, place)
        case "expectedFailure":
            return Gate("xfail", TRUE, place)
        case "flaky":
            return _conditional("retry", condition if condition is not None else TRUE, place)
        case _:
            return None


def _conditional(kind: str, condition: Term, place: Place) -> Gate | None:
    if is_false(condition):
        return None
    if terms.is_literal(condition) and not isinstance(terms.literal(condition), str):
        condition = TRUE
    return Gate(kind, condition, place)


def _not(term: Term) -> Term:
    return term.args[0] if term.op == "unary" and term.value == "Not" else fold(Term("unary", "Not", (term,)))


def is_false(term: Term) -> bool:
    return terms.is_literal(term) and not terms.literal(term)


def mark_on(term: Term, place: Place) -> Gate | None:
    """
    Read `mark(function)`, what a decorator of the suite's own may return, as a gate.
    """
    if term.op != "call":
        return None
    mark = term.args[0] if term.args[0].op == "call" else Term("name", term.args[0].value)
    return gate_of(mark, place)
