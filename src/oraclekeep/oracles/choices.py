"""
Checks of which one has to hold: `or`, one of several values, a text that begins in one of several ways.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from oraclekeep.oracles.checks import Check, Kind
from oraclekeep.oracles.strength import Fate, Relation

_ENDS: Final = frozenset({"startswith", "endswith"})


def is_choice(old: Check, new: Check) -> bool:
    """
    Return whether one of two checks leaves a choice that is written out.
    """
    if Kind.ANY_OF in (old.kind, new.kind):
        return True
    ends = old.subject == new.subject and old.kind is new.kind is Kind.PREDICATE and old.detail == new.detail
    return ends and any(len(_each(one)) > 1 for one in (old, new))


def relate_choices(old: Check, new: Check) -> Relation | None:
    """
    Say what became of a choice, or of a check that a choice took the place of.
    """
    mine, theirs = ({one.form for one in _each(check)} for check in (old, new))
    if mine == theirs:
        return Relation(Fate.SAME, near=90)
    if mine > theirs:
        return Relation(Fate.STRONGER, "alternatives were dropped", 70)
    if mine < theirs:
        return Relation(Fate.WEAKER, "an alternative with `or` also passes now", 70)
    subjects = {one.subject for one in (old.alternatives or (old,))}
    if subjects & {one.subject for one in (new.alternatives or (new,))}:
        fate = Fate.WEAKER if new.kind is Kind.ANY_OF and old.kind is not Kind.ANY_OF else Fate.REWRITTEN
        return Relation(
            fate,
            "an alternative with `or` also passes now" if fate is Fate.WEAKER else "the alternatives changed",
            40,
        )
    return None


def _each(check: Check) -> tuple[Check, ...]:
    """
    Return the checks of which one has to hold: `x in (1, 2)` is `x == 1 or x == 2`.
    """
    bare = replace(check, guards=())
    items = check.expected.args if check.expected.op in {"list", "tuple"} else ()
    if any(one.op == "star" for one in items):
        items = ()
    if items and check.kind is Kind.MEMBER and check.detail == "in":
        return tuple(replace(bare, kind=Kind.EQUAL, expected=one, detail="") for one in items)
    if items and check.kind is Kind.PREDICATE and check.detail in _ENDS:
        return tuple(replace(bare, expected=one) for one in items)
    return check.alternatives or (bare,)
