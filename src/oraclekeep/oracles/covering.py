"""
Spellings that ask for more than others: a value that passes in the one passes in the other, too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from oraclekeep.oracles import terms
from oraclekeep.oracles.checks import Kind
from oraclekeep.oracles.formatting import tightened

if TYPE_CHECKING:
    from oraclekeep.oracles.checks import Check
    from oraclekeep.oracles.terms import Term

#: Kinds of checks that a value passes by being something; the others turn the order round.
_POSITIVE: Final = frozenset(
    {Kind.EQUAL, Kind.IS, Kind.MEMBER, Kind.CLOSE, Kind.SAME_ITEMS, Kind.TEXT, Kind.RAISES, Kind.WARNS}
    | {Kind.PREDICATE, Kind.TYPE, Kind.ORDER, Kind.TRUTHY, Kind.NOT_NONE}
)
#: Functions that go through a mapping's keys where they are given the mapping.
_OF_KEYS: Final = frozenset({"list", "tuple", "set", "frozenset", "sorted", "len"})


def covers(new: Check, old: Check) -> bool:
    """
    Return whether a check asks what another one asked, in a spelling that fewer values pass.
    """
    if (
        new.dead
        or old.kind not in _POSITIVE
        or (old.kind, old.detail, old.extra) != (new.kind, new.detail, new.extra)
    ):
        return False
    if old.kind is Kind.MEMBER:
        whole, part = ("subject", "expected") if old.detail == "has" else ("expected", "subject")
        same = _implies(getattr(new, part), getattr(old, part))
        return same and _implies_keys(getattr(new, whole), getattr(old, whole))
    subject = _implies_keys if old.kind is Kind.SAME_ITEMS else _implies
    return subject(new.subject, old.subject) and _implies(new.expected, old.expected)


def _implies(new: Term, old: Term) -> bool:
    if new == old:
        return True
    if (tight := tightened(old)) is not old and _implies(new, tight):
        return True
    if old.op != new.op or old.value != new.value or len(old.args) != len(new.args):
        return False
    if terms.called(old) in _OF_KEYS and len(old.args) == 2 and old.args[0] == new.args[0]:
        return _implies_keys(new.args[1], old.args[1])
    return bool(old.args) and all(map(_implies, new.args, old.args))


def _implies_keys(new: Term, old: Term) -> bool:
    """
    What is asked of the keys of a mapping is asked of the mapping, and that it is one.
    """
    if terms.method(new) == "keys" and len(new.args) == 1 and terms.method(old) != "keys":
        return _implies(new.args[0].args[0], old)
    return _implies(new, old)
