"""
Arithmetic of decimal numbers that are written out.
"""

from __future__ import annotations

import operator
from decimal import Decimal, DecimalException
from typing import TYPE_CHECKING, Final

from oraclekeep.oracles import terms

if TYPE_CHECKING:
    from collections.abc import Callable

    from oraclekeep.oracles.terms import Term

_NAME: Final = "decimal.Decimal"
_BINARY: Final[dict[str, Callable[[Decimal, Decimal], Decimal]]] = {
    "Add": operator.add,
    "Sub": operator.sub,
    "Mult": operator.mul,
}


def exact(term: Term) -> Term:
    """
    Return a sum, a product or a negative of decimals as one decimal; `Decimal(2)` is `Decimal("2")`.
    """
    if term.op == "call":
        value = _value(term)
        return _made(value) if value is not None else term
    parts = [_value(arg) for arg in term.args]
    numbers = [one for one in parts if one is not None]
    if not numbers or len(numbers) != len(parts):
        return term
    try:
        if term.op == "unary" and term.value == "USub":
            return _made(-numbers[0])
        if term.op == "bin" and term.value in _BINARY:
            return _made(_BINARY[term.value](*numbers))
    except DecimalException:
        pass
    return term


def _value(term: Term) -> Decimal | None:
    if terms.called(term) != _NAME or len(term.args) != 2 or term.args[1].op != "const":
        return None
    given = terms.literal(term.args[1])
    try:
        found = Decimal(given) if isinstance(given, str | int) and not isinstance(given, bool) else None
    except DecimalException:
        return None
    return found if found is not None and found.is_finite() else None


def _made(value: Decimal) -> Term:
    return terms.call(terms.name(_NAME), (terms.const(str(value)),))
