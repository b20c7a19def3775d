"""
numpy.testing, pandas.testing, torch.testing and their like.
"""

from __future__ import annotations

import itertools
import re
from typing import TYPE_CHECKING, Final

from oraclekeep.oracles import terms
from oraclekeep.oracles.asserts import record
from oraclekeep.oracles.checks import ABSENT, Check, Kind
from oraclekeep.oracles.idioms import is_live, tolerance, unwrapped
from oraclekeep.oracles.terms import Term

if TYPE_CHECKING:
    from oraclekeep.oracles.checks import Place
    from oraclekeep.oracles.values import Run


_LIBRARY_EQUAL: Final = re.compile(
    r"(array_|frame_|series_|index_|extension_array_|string_|)equal$|identical$|array_equal"
)


#: How the two sides are called.
_PAIRS: Final = (
    ("actual", "desired"), ("left", "right"), ("x", "y"), ("first", "second"), ("a", "b"),
    ("actual", "expected"),
)  # fmt: skip


def library(run: Run, short: str, term: Term, place: Place) -> None:
    """
    Record `assert_…(actual, expected)`.
    """
    named = [one for pair in _PAIRS for key in pair if (one := terms.keyword(term, key)) is not None]
    subject, expected = (*terms.positional(term), *named, ABSENT, ABSENT)[:2]
    if is_live(expected) and not is_live(subject):
        subject, expected = expected, subject
    words = {"err_msg", "verbose", "obj", "msg", *itertools.chain(*_PAIRS)}  # what a failure says
    options = Term(
        "options", "", tuple(arg for arg in term.args if arg.op == "kw" and arg.value not in words)
    )
    if short in {
        "assert_allclose",
        "assert_close",
        "assert_almost_equal",
        "assert_array_almost_equal",
        "assert_approx_equal",
    }:
        allowed = _decimals(short, term) or tolerance(
            terms.keyword(term, "rtol") or terms.const(1e-07),
            terms.keyword(term, "atol") or terms.const(0.0),
        )
        sides = unwrapped(subject), unwrapped(expected)
        record(run, Check(Kind.CLOSE, *sides, extra=allowed, guards=run.guards, place=place))
    elif _LIBRARY_EQUAL.search(short):
        if short == "assert_identical":  # xarray's names and attributes, too
            options = Term("options", "", (*options.args, Term("kw", "strict", (terms.TRUE,))))
        extra = options if options.args else ABSENT
        if "array" in short and "xarray" not in terms.called(term):
            subject, expected = unwrapped(subject), unwrapped(expected)
        record(run, Check(Kind.EQUAL, subject, expected, extra=extra, guards=run.guards, place=place))
    else:
        record(
            run,
            Check(Kind.PREDICATE, subject, expected, short, extra=options, guards=run.guards, place=place),
        )


#: How many decimals numpy's older functions compare where the call does not say it.
_DECIMALS: Final = {"assert_almost_equal": 7, "assert_array_almost_equal": 6}


def _decimals(short: str, term: Term) -> Term | None:
    """
    Return how far apart numpy's older functions let two values be.
    """
    if short not in _DECIMALS:
        return None
    given = terms.argument(term, 2, "decimal") or terms.const(_DECIMALS[short])
    number = terms.literal(given) if terms.is_literal(given) else None
    return tolerance(None, terms.const(1.5 * 10.0**-number)) if isinstance(number, int) else None
