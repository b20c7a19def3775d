"""
Checks that left their test and stand in another one, in other words.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING

from oraclekeep.oracles import terms
from oraclekeep.oracles.relating import relate
from oraclekeep.oracles.strength import Fate
from oraclekeep.oracles.subjects import names_production, respelt
from oraclekeep.oracles.topics import root_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from oraclekeep.oracles.checks import Check
    from oraclekeep.oracles.terms import Term


def moved_aside(
    lost: Iterable[tuple[int, Check]],
    right: Mapping[str, Sequence[Check]],
    hierarchy: Callable[[Term, Term], str],
) -> Iterator[tuple[int, Check, str, str]]:
    """
    Yield what a lost check became: its number, the new check of another test that implies it, why, and where.
    """
    of: dict[str, list[tuple[str, Check]]] = defaultdict(list)
    for place, checks in right.items():
        for new in checks:
            of[root_of(new.subject)].append((place, new))
    for index, old in lost:
        for place, new in of.get(root_of(old.subject), ()):
            spelt = _spelt(old, new)
            relation = relate(old, spelt, hierarchy) if _holds(old, spelt) else None
            if relation is not None and relation.fate in (Fate.STRONGER, Fate.SAME):
                yield index, new, relation.why, place


def _spelt(old: Check, new: Check) -> Check:
    named = any(one.topics[0].has_keywords for one in (old, new))
    return replace(new, subject=respelt(new.subject, old.subject)) if named else new


def _holds(old: Check, new: Check) -> bool:
    """
    Return whether a check of another test looks at the same value, or at all of the product's answer to it.
    """
    whole = new.subject.op == "call" and names_production(new.subject)
    return old.subject == new.subject or (whole and terms.contains(old.subject, new.subject))
