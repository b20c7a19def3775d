"""
Two checks of one kind on one subject: which of them can fail in more ways.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from oraclekeep.oracles import terms
from oraclekeep.oracles.checks import ABSENT, Check, Kind
from oraclekeep.oracles.idioms import tolerance
from oraclekeep.oracles.subjects import (
    ANYTHING,
    computed,
    differences,
    differs_in_literals,
    names_production,
    widened_any,
)

if TYPE_CHECKING:
    from collections.abc import Callable

from oraclekeep.oracles.leniency import Turn, of_checks
from oraclekeep.oracles.logged import hears
from oraclekeep.oracles.strength import Fate, Relation
from oraclekeep.oracles.terms import Term
from oraclekeep.oracles.texts import gives_text
from oraclekeep.oracles.topics import path_of
from oraclekeep.oracles.wording import relate_texts

#: Terms that nobody looks into: two that differ may say anything.
_BLIND: Final = frozenset({"lambda", "opaque", "cut", "matcher"})


def _values(old: Check, new: Check) -> Relation:
    if widened_any(old.expected, new.expected):
        return Relation(Fate.WEAKER, ANYTHING, 75)
    if widened_any(new.expected, old.expected):
        return Relation(Fate.STRONGER, "a value took the place of `ANY`", 75)
    if computed(old.expected, new):
        return Relation(
            Fate.WEAKER, "the expected value is now computed by the code under test, or read from it", 75
        )
    if _made_from_itself(new) and not _made_from_itself(old):
        return Relation(Fate.WEAKER, "it is compared with what is made from it", 75)
    if _leaves_out(new.expected) > _leaves_out(old.expected):
        return Relation(Fate.WEAKER, "the snapshot leaves something out", 75)
    if (found := _nested(old, new)) is not None:
        return found
    if terms.called(new.expected).rpartition(".")[2] == "snapshot" and len(new.expected.args) == 1:
        return Relation(Fate.WEAKER, "the snapshot is empty: it takes what comes", 75)
    if old.expected == new.expected and old.extra.op == "elementwise" and new.extra == ABSENT:
        return Relation(Fate.STRONGER, "the shape is compared, too", 80)
    if old.expected == new.expected and old.extra != new.extra:
        return _OPTIONS[of_checks(old.extra, new.extra)]
    if (
        old.expected == new.expected
        or _is_same_value(old.expected, new.expected)
        or _made_alike(old.expected, new.expected)
    ):
        return Relation(Fate.SAME, near=90)
    return Relation(Fate.REWRITTEN, "the expected value changed", 70)


#: What the options of a comparison make of it.
_OPTIONS: Final = {
    Turn.LOOSER: Relation(Fate.WEAKER, "the comparison ignores more now", 75),
    Turn.OTHER: Relation(Fate.REWRITTEN, "an option of the comparison changed", 70),
    Turn.STRICTER: Relation(Fate.STRONGER, "the comparison ignores less now", 80),
    Turn.SAME: Relation(Fate.SAME, near=90),
}


def _made_from_itself(check: Check) -> bool:
    """
    Return whether the expected value holds the subject, or the product's object that it is asked of.
    """
    if (
        check.kind is Kind.IS
        and terms.method(check.subject)
        and check.subject.args[0].args[0] == check.expected
    ):
        return False  # that a call gives its own object back is an answer of its own
    root = check.subject
    while root.op in {"attr", "index"} or terms.method(root):
        root = root.args[0].args[0] if root.op == "call" else root.args[0]
    asked = [check.subject, root] if root.op == "call" and names_production(root) else [check.subject]
    return any(one.size > 1 and terms.contains(check.expected, one) for one in asked)


def _leaves_out(expected: Term) -> int:
    """
    Count what a snapshot is told to look away from.
    """
    if expected.op != "call" or expected.args[0] != Term("fixture", "snapshot"):
        return 0
    return sum(
        1 for one in expected.args if one.op == "kw" and one.value in {"exclude", "include", "matcher"}
    )


def _nested(old: Check, new: Check) -> Relation | None:
    """
    Compare the tolerances that stand inside an expected value: `{"a": approx(1)}`.
    """
    mine, theirs = (
        [part for part in terms.walk(one.expected) if terms.called(part) == "pytest.approx"]
        for one in (old, new)
    )
    if not theirs or _exact(old.expected) != _exact(new.expected):
        return None
    if len(theirs) != len(mine):
        if len(theirs) > len(mine):
            return Relation(Fate.WEAKER, "an exact value inside it became approximate", 75)
        return Relation(Fate.STRONGER, "an approximate value inside it is exact now", 80)
    found = {
        _tolerance(*(replace(one, expected=_exact(side), extra=_allowed(side)) for one, side in pair))
        for pair in (((old, before), (new, after)) for before, after in zip(mine, theirs, strict=True))
    }
    if not found <= {"same", "narrower"}:
        return Relation(Fate.WEAKER, "a tolerance inside it is wider", 75)
    return Relation(Fate.STRONGER, "a tolerance inside it is narrower", 80) if "narrower" in found else None


def _exact(term: Term) -> Term:
    """
    Return an expected value as if nothing in it were approximate.
    """
    if terms.called(term) == "pytest.approx" and len(term.args) > 1:
        return _exact(term.args[1])
    return Term(term.op, term.value, tuple(map(_exact, term.args))) if term.args else term


def _allowed(approx: Term) -> Term:
    rel, absolute = terms.argument(approx, 1, "rel"), terms.argument(approx, 2, "abs")
    if rel is None and absolute is None:
        return tolerance(terms.const(1e-06), terms.const(1e-12))
    return tolerance(rel, absolute or terms.const(1e-12))


def _is_same_value(old: Term, new: Term) -> bool:
    try:
        before, after = terms.literal(old), terms.literal(new)
    except terms.NotLiteral:
        return False
    return type(before) is type(after) and repr(before) == repr(after)


def _made_alike(old: Term, new: Term) -> bool:
    blind = any(one.op in _BLIND for pair in differences(old, new) for one in pair)
    return (
        not terms.is_literal(old)
        and path_of(old) == path_of(new)
        and not blind
        and not differs_in_literals(old, new)
    )


def close(old: Check, new: Check) -> Relation:
    """
    Compare two approximate equalities of one value.
    """
    tolerance = _tolerance(old, new)
    if tolerance == "wider":
        return Relation(Fate.WEAKER, "the tolerance is wider", 70)
    if old.expected != new.expected:
        return _values(replace(old, extra=ABSENT), replace(new, extra=ABSENT))
    if tolerance == "narrower":
        return Relation(Fate.STRONGER, "the tolerance is narrower", 80)
    if tolerance == "same":
        return Relation(Fate.SAME, near=90)
    return Relation(Fate.REWRITTEN, "the tolerance changed", 70)


def _tolerance(old: Check, new: Check) -> str:
    """
    Say whether the new tolerance is `same`, `wider` or `narrower`, or `unknown`.
    """
    if old.extra == new.extra:
        return "same"
    try:
        (rel, absolute), (new_rel, new_absolute) = (
            tuple(float(terms.literal(part)) for part in one.extra.args) for one in (old, new)
        )
    except (terms.NotLiteral, TypeError, ValueError):
        return "unknown"
    value = terms.literal(old.expected) if terms.is_literal(old.expected) else None
    if isinstance(value, (int, float)):
        before, after = (
            max(one * abs(value), other) for one, other in ((rel, absolute), (new_rel, new_absolute))
        )
        return (
            "same" if math.isclose(before, after, rel_tol=1e-9) else "wider" if after > before else "narrower"
        )
    if (rel, absolute) == (new_rel, new_absolute):
        return "same"
    if new_rel <= rel and new_absolute <= absolute:
        return "narrower"
    return "wider" if new_rel >= rel and new_absolute >= absolute else "unknown"


def _order(old: Check, new: Check) -> Relation:
    pair = (old.detail, new.detail)
    if old.expected == new.expected:
        if pair in {("Lt", "LtE"), ("Gt", "GtE")}:
            return Relation(Fate.WEAKER, "equal values pass now", 80)
        if pair in {("LtE", "Lt"), ("GtE", "Gt")}:
            return Relation(Fate.STRONGER, "equal values fail now", 80)
        return (
            Relation(Fate.SAME, near=90)
            if old.detail == new.detail
            else Relation(Fate.REWRITTEN, "the order was turned round", 60)
        )
    if old.detail[:2] != new.detail[:2]:
        return Relation(Fate.REWRITTEN, "the bound changed", 50)
    try:
        before, after = terms.literal(old.expected), terms.literal(new.expected)
        looser = after > before if old.detail.startswith("Lt") else after < before
    except (terms.NotLiteral, TypeError):
        return _values(old, new)
    return (
        Relation(Fate.WEAKER, "the bound is looser", 70)
        if looser
        else Relation(Fate.STRONGER, "the bound is tighter", 70)
    )


def _member(old: Check, new: Check) -> Relation:
    if old.detail != new.detail:
        if new.kind is Kind.MEMBER and new.detail == "in":
            return Relation(Fate.WEAKER, "one of several values passes now", 50)
        return Relation(Fate.REWRITTEN, "the membership changed", 50)
    if old.detail == "in" and _same_members(old.expected, new.expected):
        return Relation(Fate.SAME, near=90)
    try:
        before, after = terms.literal(old.expected), terms.literal(new.expected)
        if old.detail == "has":
            looser, tighter = after in before, before in after
        else:
            looser, tighter = set(before) < set(after), set(after) < set(before)
    except (terms.NotLiteral, TypeError):
        return _values(old, new)
    if looser:
        return (
            Relation(Fate.WEAKER, "less has to be found", 70)
            if before != after
            else Relation(Fate.SAME, near=90)
        )
    return (
        Relation(Fate.STRONGER, "more has to be found", 70)
        if tighter
        else Relation(Fate.REWRITTEN, "the expected member changed", 65)
    )


def _same_members(before: Term, after: Term) -> bool:
    """
    Return whether displays hold the same; what is no member of a set may still equal one of a list.
    """
    shown = {before.op, after.op} <= {"list", "tuple", "set"}
    known = shown and not any(one.op == "star" for one in (*before.args, *after.args))
    return known and set(before.args) == set(after.args) and (after.op == "set" or before.op != "set")


def _text(old: Check, new: Check) -> Relation:
    """
    Exception texts: exact, contained, or searched for by a pattern.
    """
    try:
        before, after = terms.literal(old.expected), terms.literal(new.expected)
    except terms.NotLiteral:
        return (
            _values(old, new)
            if old.detail == new.detail
            else Relation(
                Fate.WEAKER if new.detail == "regex" else Fate.REWRITTEN, "the text's pattern changed", 60
            )
        )
    if not isinstance(before, str) or not isinstance(after, str):
        return Relation(Fate.REWRITTEN, "the expected text changed", 60)
    return relate_texts((old.detail, before), (new.detail, after))


def classes(old: Check, new: Check, hierarchy: Callable[[Term, Term], str]) -> Relation:
    found = hierarchy(old.expected, new.expected)
    what = "warning" if old.kind is Kind.WARNS else "type" if old.kind is Kind.TYPE else "exception"
    if found == "wider":
        return Relation(Fate.WEAKER, f"the {what} is wider", 75)
    if found == "narrower":
        return Relation(Fate.STRONGER, f"the {what} is narrower", 75)
    if found == "same":
        return Relation(Fate.SAME, near=90)
    return Relation(Fate.REWRITTEN, f"another {what} is expected", 65)


#: Questions that let more pass than another one.
_WEAKER: Final = {
    "re.fullmatch": {"re.match", "re.search"},
    "check": {"check_present"},
    "assertHTMLEqual": {"assertInHTML"},
    "hamcrest.has_entries": {"hamcrest.has_entry", "hamcrest.has_key"},
    "hamcrest.has_items": {"hamcrest.has_item"},
}


def _predicate(old: Check, new: Check) -> Relation:
    if old.detail != new.detail:
        weaker = new.detail == "compared with itself" or new.detail in _WEAKER.get(old.detail, ())
        return Relation(Fate.WEAKER if weaker else Fate.REWRITTEN, "another question is asked", 50)
    if (
        old.detail in {"startswith", "endswith"}
        and terms.is_literal(old.expected)
        and terms.is_literal(new.expected)
    ):
        before, after = str(terms.literal(old.expected)), str(terms.literal(new.expected))
        if before != after and getattr(before, old.detail)(after):
            return Relation(Fate.WEAKER, "less of the text is compared", 70)
        if before != after and getattr(after, old.detail)(before):
            return Relation(Fate.STRONGER, "more of the text is compared", 70)
    if old.detail.startswith("re."):
        return _text(replace(old, detail="regex"), replace(new, detail="regex"))
    return _values(old, new)


def _absent(old: Check, new: Check) -> Relation:
    """
    The other way round than what has to be found: a longer text, or fewer values, forbid less.
    """
    found = _member(old, new)
    if old.detail == "has" and found.fate is not Fate.SAME and not gives_text(new.subject):
        return Relation(
            Fate.REWRITTEN, "something else is forbidden", found.near
        )  # a key or an item, perhaps
    match found.fate:
        case Fate.STRONGER:
            return Relation(Fate.WEAKER, "less is forbidden", found.near)
        case Fate.WEAKER:
            return Relation(Fate.STRONGER, "more is forbidden", found.near)
        case _:
            return found


SAME_KIND: Final[dict[Kind, Callable[[Check, Check], Relation]]] = {
    Kind.EQUAL: _values, Kind.IS: _values, Kind.SAME_ITEMS: _values, Kind.NOT_EQUAL: _values,
    Kind.CLOSE: close, Kind.ORDER: _order, Kind.LOGS: hears,
    Kind.MEMBER: _member, Kind.NOT_MEMBER: _absent, Kind.TEXT: _text, Kind.PREDICATE: _predicate,
}  # fmt: skip
