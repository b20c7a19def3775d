"""
What checks say of the items of one and the same collection, in whichever order they come.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from oraclekeep.oracles import terms
from oraclekeep.oracles.checks import Kind

if TYPE_CHECKING:
    from oraclekeep.oracles.checks import Check
    from oraclekeep.oracles.terms import Term

#: Functions that keep which items there are; the order, and how often, they may lose.
_KEEPING: Final = frozenset({"list", "tuple", "set", "frozenset", "sorted"})
_DISPLAYS: Final = frozenset({"list", "tuple", "set"})


@dataclass(frozen=True, slots=True)
class _Held:
    """
    What a collection is said to hold: ``all`` says nothing else, ``counted`` each as often as it is there.
    """

    whole: Term
    items: tuple[Term, ...]
    all: bool = False
    counted: bool = False


def tells(new: Check, old: Check) -> bool:
    """
    Return whether a check says which items there are, and what an older one asked of them follows.
    """
    told = None if new.dead else _told(new)
    if told is None or old.dead:
        return False
    if old.kind is Kind.NOT_MEMBER and old.detail == "has":
        known = told.all and all(map(terms.is_literal, (old.expected, *told.items)))
        return known and _bare(old.subject) == told.whole and not _is_among(old.expected, told.items)
    if old.kind is Kind.EQUAL and terms.called(old.subject) == "len" and len(old.subject.args) == 2:
        size = terms.const(len(told.items))
        return told.counted and _bare(old.subject.args[1]) == told.whole and old.expected == size
    if old.kind is Kind.MEMBER and old.detail == "has":
        return _bare(old.subject) == told.whole and old.expected in told.items
    asked = _told(old)
    if asked is None or asked.whole != told.whole or asked.counted:
        return False
    if asked.all:
        return told.all and set(asked.items) == set(told.items)
    return set(asked.items) <= set(told.items)


def _is_among(item: Term, items: tuple[Term, ...]) -> bool:
    return any(terms.literal(one) == terms.literal(item) for one in items)


def _told(check: Check) -> _Held | None:
    """
    Return what a check says of the items; a comparison of the collection as it is says more than that.
    """
    subject, expected = check.subject, check.expected
    if check.kind is Kind.SAME_ITEMS:
        return _held(subject, expected, is_all=True, is_counted=True)
    if check.kind is Kind.EQUAL and terms.called(subject) in {"set", "frozenset"}:
        return _held(subject, expected, is_all=True) if expected.op == "set" else None
    if check.kind is Kind.ORDER and check.detail == "GtE":
        return _held(subject, expected) if expected.op == "set" else None
    if check.kind is Kind.PREDICATE and check.detail == "issubset":
        return _held(expected, subject)
    if check.kind is Kind.PREDICATE and check.detail == "issuperset":
        return _held(subject, expected)
    return None


def _held(whole: Term, shown: Term, *, is_all: bool = False, is_counted: bool = False) -> _Held | None:
    if shown.op not in _DISPLAYS or any(one.op == "star" for one in shown.args):
        return None
    return _Held(_bare(whole), shown.args, is_all, is_counted and whole == _bare(whole))


def _bare(whole: Term) -> Term:
    """
    Return the collection itself, without what only keeps its items.
    """
    while terms.called(whole) in _KEEPING and len(whole.args) == 2 and whole.args[1].op not in {"kw", "star"}:
        whole = whole.args[1]
    return whole
