"""
What became of a check when another took its place (SPEC §4.3).
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from oraclekeep.oracles import terms
from oraclekeep.oracles.blocks import out_of_block
from oraclekeep.oracles.checks import Check, Kind, plain
from oraclekeep.oracles.choices import is_choice, relate_choices
from oraclekeep.oracles.covering import covers
from oraclekeep.oracles.holding import tells
from oraclekeep.oracles.logged import is_in_text
from oraclekeep.oracles.pinning import as_mock, relate_mocks
from oraclekeep.oracles.showing import show
from oraclekeep.oracles.subjects import (
    About,
    about,
    computed,
    differences,
    is_path_from,
    looked_up,
    respelt,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

from oraclekeep.oracles.comparing import SAME_KIND, classes, close
from oraclekeep.oracles.strength import RANK, Fate, Relation, asks_less, demands, falls_back, rank
from oraclekeep.oracles.terms import Term
from oraclekeep.oracles.topics import path_of

UNDRAWN: Final = "one value is tried, not those that hypothesis drew"
FALLBACK: Final = "the value falls back to what is expected: the code under test may give nothing"
_ERRORS: Final = frozenset({Kind.RAISES, Kind.WARNS, Kind.TEXT, Kind.LOGS})


def _fewer_turns(old: Check, new: Check) -> Relation | None:
    """
    A loop over a range was left for single numbers out of it.
    """
    for guard in old.guards:
        count = _count(guard) if guard.op == "foreach" else None
        if count is None or guard in new.guards:
            continue
        turn = Term("each", "", (terms.name("range"),))
        for number in terms.literal(guard.args[0])[:64]:
            one = terms.replace(old.subject, turn, terms.const(number))
            if one == new.subject and one != old.subject:
                return Relation(Fate.WEAKER, f"the loop ran {count} times; single numbers are tried now", 60)
    return None


def relate(old: Check, new: Check, hierarchy: Callable[[Term, Term], str]) -> Relation | None:
    """
    Say what became of ``old`` if ``new`` took its place, or None where the two have nothing in common.
    """
    if old.subject.op == "edited" and new.subject.op != "edited":
        old = replace(old, subject=old.subject.args[0])  # it is compared as it came
    new, less = _over_the_same(old, new)
    found = _fewer_turns(old, new) or _relate_bare(old, new, hierarchy)
    if found is not None and less and found.fate is not Fate.WEAKER:
        return Relation(Fate.WEAKER, f"the loop leaves out {less}", found.near)
    if found is None or new.guards == old.guards or found.fate is Fate.WEAKER:
        return found
    return _under_guards(old, new, found)


def _over_the_same(old: Check, new: Check) -> tuple[Check, str]:
    """
    Return the new check as if it went over what the old one goes over, and say what of that it leaves out.

    That is done where only more, or only less, was put together to go over.
    """
    less = ""
    for mine in old.guards if new.guards != old.guards else ():
        for theirs in new.guards:
            if not mine.op == theirs.op == "foreach" or mine == theirs:
                continue
            before, after = mine.args[0], theirs.args[0]
            gone, come = _differing(before, after)
            if not gone or not come:
                less = less or ", ".join(show(one) for one in gone)
                new = replace(
                    new,
                    subject=terms.replace(new.subject, after, before),
                    expected=terms.replace(new.expected, after, before),
                    guards=tuple(terms.replace(one, after, before) for one in new.guards),
                )
    return new, less


def _differing(before: Term, after: Term) -> tuple[list[Term], list[Term]]:
    """
    Return what only the one, and what only the other iterable is put together from.
    """
    mine, theirs = (Counter(_joined(one)) for one in (before, after))
    return list((mine - theirs).elements()), list((theirs - mine).elements())


def _joined(term: Term) -> Iterator[Term]:
    """
    Yield what an iterable that is put together from several is made of.
    """
    if term.op == "bin" and term.value == "Add":
        for one in term.args:
            yield from _joined(one)
    elif term.op in {"list", "tuple"}:
        yield from term.args
    else:
        yield Term("star", "", (term,))


def _under_guards(old: Check, new: Check, found: Relation) -> Relation:
    added = [guard for guard in new.guards if guard not in old.guards]
    gone = [guard for guard in old.guards if guard not in new.guards]
    for guard in added:
        counterpart = next((one for one in gone if one.op == guard.op == "foreach"), None)
        twin = next((one for one in gone if one.op != "foreach" and path_of(one) == path_of(guard)), None)
        if counterpart is None and twin is not None and guard.op == "case":
            return Relation(Fate.REWRITTEN, "the case that the check stands under changed", found.near)
        if counterpart is None and twin is not None:
            gone.remove(twin)  # the same question with other constants
            continue
        if counterpart is not None:
            before, after = _count(counterpart), _count(guard)
            if before is not None and after is not None and after < before:
                return Relation(Fate.WEAKER, f"the loop runs {after} times, not {before}", found.near)
            gone.remove(counterpart)
            continue
        if guard.op == "foreach":
            return Relation(
                Fate.WEAKER,
                f"the check now stands in a loop over `{show(guard.args[0])}`, which may be empty",
                found.near - 1,
            )
        words = f"the check now runs only where `{show(guard)}`"
        if guard.op == "unless":
            words = f"`{show(guard.args[0])}` is taken for an answer now"
        return Relation(Fate.WEAKER, words, found.near - 1)
    if gone and found.fate is Fate.SAME:
        return Relation(Fate.STRONGER, "the check no longer stands under a condition", found.near)
    return found


def _count(guard: Term) -> int | None:
    if guard.args and terms.called(guard.args[0]) == "range" and terms.is_literal(guard.args[0]):
        return len(terms.literal(guard.args[0]))
    return None


def _relate_bare(old: Check, new: Check, hierarchy: Callable[[Term, Term], str]) -> Relation | None:
    if old.bare == new.bare:
        return Relation(Fate.SAME, near=100)
    if covers(new, old) or is_in_text(old, new):
        return Relation(Fate.STRONGER, "fewer values pass now", 90)
    if tells(new, old):
        return Relation(Fate.STRONGER, "all that is in it is compared now", 70)
    if is_choice(old, new):
        return relate_choices(old, new)
    pinned = as_mock(old), as_mock(new)
    if pinned[0] is not None and pinned[1] is not None and not (pinned[0].part and pinned[1].part):
        return relate_mocks(pinned[0], pinned[1])
    if (same := out_of_block(old, new)) is not None:
        return _relate_bare(same, new, hierarchy)  # less may raise now
    if (old.kind, new.kind) == (Kind.TYPE, Kind.RAISES) and old.subject == Term("raised", "", (new.subject,)):
        found = classes(old, new, hierarchy)
        return found if found.fate in (Fate.SAME, Fate.STRONGER) and not new.dead else None
    if new.kind is Kind.WARNS and (asked := _warned_of(old)) is not None:
        return classes(replace(old, expected=asked), new, hierarchy) if _is_of(old, new) else None
    if _asks_entry(old, new):
        return Relation(Fate.STRONGER, "the entry is compared now, so it is there", 60)
    place = about(old, new)
    if place is About.NOTHING and any(one.topics[0].has_keywords for one in (old, new)):
        new = replace(new, subject=respelt(new.subject, old.subject))
        place = about(old, new)
    if place is About.NOTHING:
        return None
    if new.dead:
        return Relation(
            Fate.WEAKER, new.why_never or "it can no longer fail", 60 if place is About.SAME else 30
        )
    if _is_of_itself(new) and not _is_of_itself(old):
        return Relation(Fate.WEAKER, "the same call is compared with itself", 60)
    if falls_back(new) and not falls_back(old):
        return Relation(Fate.WEAKER, FALLBACK, 60)
    if (old.kind in _ERRORS) != (new.kind in _ERRORS) and place in (About.PART, About.WHOLE):
        return None
    match place:
        case About.SAME:
            return _same_subject(old, new, hierarchy)
        case About.INPUT:
            return _other_input(old, new)
        case About.PART:
            return _part(old, new)
        case About.WHOLE:
            return _whole(old, new)
        case _:
            return None


def _is_of_itself(check: Check) -> bool:
    return len(check.sides) > 1 and check.sides[0] == check.sides[1]


def _warned_of(check: Check) -> Term | None:
    """
    Return the class that a recorded warning is asked to be of.
    """
    is_asked = check.kind is Kind.TYPE or (
        check.kind in (Kind.IS, Kind.EQUAL) and check.subject.value == "category"
    )
    held = check.subject.args[0] if check.subject.op == "attr" and check.subject.args else check.subject
    recorded = held.op == "index" and held.args[0].op == "excinfo"
    return (
        check.expected if is_asked and recorded and check.subject.value in {"category", "message"} else None
    )


def _is_of(old: Check, new: Check) -> bool:
    return any(one.op == "excinfo" and one.args[0] == new.subject for one in terms.walk(old.subject))


def _same_subject(old: Check, new: Check, hierarchy: Callable[[Term, Term], str]) -> Relation | None:
    if (old.kind in _ERRORS) != (new.kind in _ERRORS):
        return Relation(Fate.REWRITTEN, "an error is expected instead of a value, or the other way round", 40)
    if old.kind is new.kind:
        reader = SAME_KIND.get(old.kind)
        if old.kind in (Kind.RAISES, Kind.WARNS, Kind.TYPE):
            return classes(old, new, hierarchy)
        return (
            reader(old, new)
            if reader is not None
            else Relation(Fate.REWRITTEN, "the expectation changed", 50)
        )
    if old.kind in _ERRORS:
        return None
    return _other_kind(old, new)


def _other_kind(old: Check, new: Check) -> Relation:
    if {old.kind, new.kind} in (
        {Kind.TRUTHY, Kind.FALSY},
        {Kind.MEMBER, Kind.NOT_MEMBER},
        {Kind.EQUAL, Kind.NOT_EQUAL},
        {Kind.IS, Kind.NOT_EQUAL},
    ):
        return _opposites(old, new)
    holds, less = _holds(old, new), asks_less(old, new)
    if holds is True and not less:
        return Relation(Fate.STRONGER, f"{old.kind} became {new.kind}", 80)
    if less or rank(new) < rank(old):
        return Relation(Fate.WEAKER, f"{old.kind} became {new.kind}", 60)
    if holds is False:
        return Relation(Fate.REWRITTEN, "the expected value changed", 60)
    if computed(old.expected, new):
        return Relation(Fate.WEAKER, "the expected value is now computed by the code under test", 60)
    fate = Fate.STRONGER if rank(new) > rank(old) else Fate.REWRITTEN
    implied = old.kind in (Kind.TRUTHY, Kind.NOT_NONE) and rank(new) >= RANK[Kind.ORDER]
    return Relation(fate, f"{old.kind} became {new.kind}", 60, implied)


def _opposites(old: Check, new: Check) -> Relation:
    if rank(new) < rank(old) and new.kind is Kind.NOT_EQUAL and new.expected != old.expected:
        return Relation(Fate.WEAKER, f"{old.kind} became {new.kind}", 55)
    return Relation(Fate.REWRITTEN, "the expectation was inverted", 55)


def _holds(old: Check, new: Check) -> bool | None:
    """
    Does what the new check demands imply what the old one asked?  None where it cannot be known.
    """
    if new.kind not in (Kind.EQUAL, Kind.IS):
        return None
    return demands(replace(old, subject=new.expected))


def _other_input(old: Check, new: Check) -> Relation:
    drawn = [one for one in differences(old.subject, new.subject) if one[0].op == "drawn"]
    if drawn and all(terms.is_literal(other) for _, other in drawn):
        return Relation(Fate.WEAKER, UNDRAWN, 45)
    if rank(new) < rank(old):
        return Relation(Fate.WEAKER, f"{old.kind} became {new.kind}, on another input", 35)
    if computed(old.expected, new):
        return Relation(Fate.WEAKER, "the expected value is now computed by the code under test", 40)
    near = 45 if old.expected == new.expected else 40
    return Relation(Fate.REWRITTEN, "the input changed", near)


def _part(old: Check, new: Check) -> Relation | None:
    """
    The new check looks at something made from what the old one looked at.
    """
    if old.kind in (Kind.TRUTHY, Kind.NOT_NONE) and rank(new) >= RANK[Kind.ORDER]:
        return Relation(Fate.STRONGER, "a value inside it is compared now", 40)
    if rank(old) <= RANK[Kind.TYPE]:
        return None
    if new.subject.op == "edited":
        return Relation(Fate.WEAKER, "the result is changed before it is compared", 50)
    known = old.expected not in (terms.TRUE, terms.FALSE)
    if known and is_same_answer(old, new) and is_path_from(plain(old.subject), plain(new.subject)):
        return Relation(Fate.REWRITTEN, "the value is reached another way", 50)
    return Relation(Fate.WEAKER, f"only `{show(new.subject)}` is compared now", 50)


def _asks_entry(old: Check, new: Check) -> bool:
    """
    Return whether base asks for a key, and head for the value under it.
    """
    if old.kind is not Kind.MEMBER or new.kind not in (Kind.EQUAL, Kind.IS) or new.dead:
        return False
    whole, key = (old.subject, old.expected) if old.detail == "has" else (old.expected, old.subject)
    entry = Term("index", "", (looked_up(whole), key))
    return key.value[:1] in {"'", '"'} and new.expected != terms.NONE and looked_up(new.subject) == entry


def is_same_answer(old: Check, new: Check) -> bool:
    """
    Return whether both ask for one value that is hardly found elsewhere by chance.
    """
    wanted = old.expected
    if old.kind in (Kind.RAISES, Kind.WARNS):
        return False  # many a call gives the same classes
    same = (old.kind, wanted, old.detail, old.extra) == (new.kind, new.expected, new.detail, new.extra)
    return same and (wanted.size > 2 or (wanted.op not in {"none", "name"} and len(wanted.value) > 3))


def _is_value(term: Term) -> bool:
    """
    Return whether a term is a literal, or made of literals by a class.
    """
    made = terms.called(term).rpartition(":")[2].rpartition(".")[2][:1].isupper()
    return terms.is_literal(term) or (made and all(terms.is_literal(arg) for arg in terms.positional(term)))


def _near_whole(old: Check, new: Check) -> Relation | None:
    """
    One entry of what is compared as a whole now, no further from it than before.
    """
    place = terms.replace(old.subject, new.subject, new.expected)
    key = place.args[1] if place.op == "index" and place.args[0] == new.expected else None
    held = {pair.args[0]: pair.args[1] for pair in new.expected.args if pair.op == "pair"}
    if new.expected.op in {"list", "tuple"}:
        held = {terms.const(index): one for index, one in enumerate(new.expected.args)}
    if key is None or held.get(key) != old.expected:
        return None
    return close(old, replace(new, subject=old.subject, expected=old.expected))


def _asks_nothing(check: Check) -> bool:
    """
    Return whether a look-up with no default of its own is asked to find nothing.
    """
    if terms.method(check.subject) != "get" or len(check.subject.args) != 2:
        return False
    return check.kind is Kind.FALSY or (check.kind in (Kind.IS, Kind.EQUAL) and check.expected == terms.NONE)


def _whole(old: Check, new: Check) -> Relation | None:
    """
    The old check looked at a part of what the new one pins as a whole.
    """
    if new.kind is Kind.NOT_MEMBER and new.detail == "has" and _asks_nothing(old):
        entry = Term("index", "", (looked_up(new.subject), new.expected))
        absent = looked_up(old.subject) == entry
        return Relation(Fate.STRONGER, "there is no such entry at all", 70) if absent else None
    if new.kind is Kind.CLOSE and old.kind is Kind.CLOSE:
        return _near_whole(old, new)
    if new.kind not in (Kind.EQUAL, Kind.IS):
        return None
    inside = replace(
        old,
        subject=terms.replace(old.subject, new.subject, new.expected),
        expected=terms.replace(old.expected, new.subject, new.expected),
    )
    holds = demands(inside)
    if holds is None and inside.subject.op == "attr" and inside.subject.args[0].op == "call":
        made = terms.keyword(inside.subject.args[0], inside.subject.value)
        holds = (
            demands(replace(inside, subject=made))
            if made is not None and made != old.expected
            else made is not None or None
        )
    if holds is None and old.kind in (Kind.EQUAL, Kind.IS) and _is_value(old.expected):
        holds = terms.contains(new.expected, old.expected) or None
    return Relation(Fate.STRONGER, "the whole value is compared now", 60) if holds else None
