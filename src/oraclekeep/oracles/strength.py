"""
How strong a check is, and what a literal says about it.
"""

from __future__ import annotations

import enum
import functools
from dataclasses import dataclass
from typing import Any, Final

from oraclekeep.oracles import terms
from oraclekeep.oracles.checks import Check, Kind
from oraclekeep.oracles.mocks import PINS
from oraclekeep.oracles.subjects import fallbacks
from oraclekeep.oracles.terms import Term

#: The explicit order of SPEC §4.3, by kind; higher can fail in more ways.  The only place it is written down.
RANK: Final = {
    Kind.EQUAL: 60, Kind.IS: 60, Kind.SNAPSHOT: 60, Kind.FAILS: 60, Kind.TEXT: 50,
    Kind.CLOSE: 45, Kind.SAME_ITEMS: 45, Kind.ORDER: 40, Kind.MEMBER: 40, Kind.RAISES: 40, Kind.WARNS: 40,
    Kind.LOGS: 40, Kind.PREDICATE: 30, Kind.NOT_MEMBER: 25, Kind.TYPE: 20, Kind.NOT_EQUAL: 20,
    Kind.FALSY: 12, Kind.TRUTHY: 10, Kind.NOT_NONE: 8,
    Kind.ANY_OF: 5, Kind.MOCK: 0, Kind.NEVER: 0,
}  # fmt: skip


#: What makes an object of its own each time.
_OBJECTS: Final = frozenset({"call", "list", "dict", "set", "tuple"})


class Fate(enum.Enum):
    """
    What became of a base check.
    """

    SAME = "still there"
    STRONGER = "strengthened"
    REWRITTEN = "rewritten"
    WEAKER = "weakened"


@dataclass(frozen=True, slots=True)
class Relation:
    """
    How a head check relates to a base check; ``near`` prefers one pairing over another.

    ``implied`` is False where the new check is stronger by rank only: it can replace one old check, but where
    it stood beside the old one all along it says nothing about what the old one asked.
    """

    fate: Fate
    why: str = ""
    near: int = 0
    implied: bool = True


def rank(check: Check) -> int:
    if check.dead:
        return 0
    if check.kind is Kind.MOCK:
        return PINS.get(check.detail, 2) * 10
    if check.detail == "compared with itself":
        return 5
    return RANK[check.kind]


def asks_less(old: Check, new: Check) -> bool:
    """
    Return whether a check of another kind asks less than its rank says.

    What differs from one value may still be nothing, but for a number that differs from 0; and what equals
    an object need not be that object.
    """
    if new.kind is Kind.NOT_EQUAL and new.expected != terms.NONE:
        return old.kind is Kind.NOT_NONE or (old.kind is Kind.TRUTHY and new.expected != terms.const(0))
    return old.kind is Kind.IS and new.kind is Kind.EQUAL and old.expected.op in _OBJECTS


def falls_back(check: Check) -> bool:
    """
    Return whether a value that the subject falls back to, without the code under test, passes as well.
    """
    return _falls_back(check.kind, check.subject, check.expected, check.detail, check.extra)


@functools.lru_cache(maxsize=4096)  # each check is compared with many others
def _falls_back(kind: Kind, subject: Term, expected: Term, detail: str, extra: Term) -> bool:
    return any(demands(Check(kind, other, expected, detail, extra)) is True for other in fallbacks(subject))


def demands(check: Check) -> bool | None:
    """
    Evaluate a check whose subject is a literal.
    """
    subject, expected = check.subject, check.expected
    if check.kind is Kind.TYPE and terms.called(subject) and expected.op == "name":
        return True if terms.called(subject) == expected.value else None
    if (
        check.kind in (Kind.NOT_NONE, Kind.TRUTHY)
        and subject.op == "call"
        and terms.called(subject)[5:6].isupper()
    ):
        return True
    try:
        return _evaluated(check, terms.literal(subject), expected)
    except Exception:  # noqa: BLE001  # a value of the wrong type fails the check in its own way
        return None


def _evaluated(check: Check, value: Any, expected: Term) -> bool | None:
    match check.kind:
        case Kind.TRUTHY:
            return bool(value)
        case Kind.FALSY:
            return not value
        case Kind.NOT_NONE:
            return value is not None
        case Kind.EQUAL | Kind.IS:
            return bool(value == terms.literal(expected))
        case Kind.CLOSE:
            rel, absolute = (float(terms.literal(one)) for one in check.extra.args)
            wanted = terms.literal(expected)
            return bool(abs(value - wanted) <= max(rel * abs(wanted), absolute))
        case Kind.PREDICATE if check.detail in {"startswith", "endswith"}:
            return bool(getattr(value, check.detail)(terms.literal(expected)))
        case Kind.MEMBER | Kind.NOT_MEMBER:
            pair = (expected, terms.of(value)) if check.detail == "has" else (terms.of(value), expected)
            return bool(terms.literal(Term("cmp", "In" if check.kind is Kind.MEMBER else "NotIn", pair)))
        case Kind.ORDER | Kind.NOT_EQUAL if check.detail:
            return bool(terms.literal(Term("cmp", check.detail, (terms.of(value), expected))))
        case Kind.TYPE:
            return bool(isinstance(value, terms.literal(expected)))
        case Kind.SAME_ITEMS:
            return sorted(map(repr, value)) == sorted(map(repr, terms.literal(expected)))
        case _:
            return None
