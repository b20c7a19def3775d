"""
A check of one item, and the same check of each item.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from oraclekeep.oracles import terms
from oraclekeep.oracles.checks import ABSENT, NO_ERROR, Check, Kind, plain
from oraclekeep.oracles.terms import Term

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from oraclekeep.oracles.checks import Facts


def asked_of_each(old: Check, checks: Sequence[Check]) -> Check | None:
    """
    Return the check that asks of every item what the old one asked of one that is known to be there.
    """
    for item in terms.walk(old.subject):
        if item.op != "index" or item.args[1].op != "const":
            continue
        whole = item.args[0]
        loop = Term("foreach", "", (whole,))
        subject = terms.replace(old.subject, item, Term("each", "", (whole,)))
        wanted = replace(old, subject=subject, guards=(*old.guards, loop)).form
        found = next((one for one in checks if one.form == wanted), None)
        if found is not None and any(_reaches(one, whole, item.args[1], old) for one in checks):
            return found
    return None


def is_told(old: Check, facts: list[Facts]) -> bool:
    """
    Return whether head tells a length, a number of calls, or that nothing is raised, in another way.
    """
    return _is_unpacked(old, facts) or _is_counted(old, facts) or _is_made(old, facts)


def _is_made(old: Check, facts: list[Facts]) -> bool:
    if old.detail != NO_ERROR:
        return False
    calls = old.subject.args if old.subject.op == "block" else (old.subject,)
    return any(
        all(
            any(call == term for term, _ in one.effects)
            or any(
                check.kind is not Kind.RAISES and terms.contains(check.subject, call) for check in one.checks
            )
            for call in calls
        )
        for one in facts
    )


def is_spelt_out(old: Check, facts: list[Facts]) -> bool:
    """
    Return whether head compares the number of items, and each of them, with what base compared as a whole.
    """
    if old.kind is not Kind.EQUAL or old.dead or old.extra != ABSENT or old.expected.op not in _WHOLES:
        return False
    entries = dict(_entries(old.expected))
    if not entries or None in entries:
        return False
    length = Check(
        Kind.EQUAL,
        Term("call", "", (terms.name("len"), old.subject)),
        terms.const(len(old.expected.args)),
        guards=old.guards,
    )
    wanted = {
        Check(Kind.EQUAL, Term("index", "", (old.subject, key)), value, guards=old.guards).form
        for key, value in entries.items()
        if key is not None
    }
    for one in facts:
        told = {check.form for check in one.checks if not check.dead}
        counted = length.form in told or (plain(old.subject), len(old.expected.args)) in one.unpacked
        if counted and wanted <= told:
            return True
    return False


_WHOLES: Final = frozenset({"list", "tuple", "dict"})


def _entries(whole: Term) -> Iterator[tuple[Term | None, Term]]:
    for index, one in enumerate(whole.args):
        if one.op == "star":
            yield None, one
        else:
            yield (one.args[0], one.args[1]) if whole.op == "dict" else (terms.const(index), one)


def _is_unpacked(old: Check, facts: list[Facts]) -> bool:
    """
    Return whether head takes apart into so many names what base asked the length of.
    """
    if old.kind is not Kind.EQUAL or terms.called(old.subject) != "len" or len(old.subject.args) != 2:
        return False
    whole = plain(old.subject.args[1])
    lengths = {length for one in facts for term, length in one.unpacked if term == whole}
    return any(old.expected == terms.const(length) for length in lengths)


def _is_counted(old: Check, facts: list[Facts]) -> bool:
    """
    Return whether head compares as many items, one by one, as base asked a length or a count of calls for.
    """
    if old.kind is not Kind.EQUAL or old.expected.op != "const":
        return False
    whole = old.subject.args[1] if terms.called(old.subject) == "len" and len(old.subject.args) == 2 else None
    if old.subject.op == "attr" and old.subject.value == "call_count":
        whole = terms.attr(old.subject.args[0], "call_args_list")
    return whole is not None and any(
        check.kind is Kind.EQUAL
        and not check.dead
        and set(check.guards) <= set(old.guards)
        and check.expected.op in {"list", "tuple"}
        and terms.const(len(check.expected.args)) == old.expected
        and check.subject.op == "comp"
        and check.subject.value == "list"
        and len(check.subject.args) == 1
        and {one for one in terms.walk(check.subject) if one.op == "each"} == {Term("each", "", (whole,))}
        for one in facts
        for check in one.checks
    )


def _reaches(check: Check, whole: Term, place: Term, old: Check) -> bool:
    """
    Return whether this check pins a length at which the item exists.
    """
    if check.kind is not Kind.EQUAL or check.dead or not set(check.guards) <= set(old.guards):
        return False
    index = terms.literal(place)
    if check.subject == Term("call", "", (terms.name("len"), whole)) and terms.is_literal(check.expected):
        length = terms.literal(check.expected)
    elif check.subject == whole and check.expected.op in {"list", "tuple"}:
        length = len(check.expected.args)
    else:
        return False
    return isinstance(index, int) and isinstance(length, int) and -length <= index < length
