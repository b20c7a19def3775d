"""
Checks of base are found again in head: in the same test, in a renamed or moved one, or in another form.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from oraclekeep.aside import moved_aside
from oraclekeep.oracles import terms
from oraclekeep.oracles.checks import ABSENT, Check, Kind
from oraclekeep.oracles.items import asked_of_each, is_spelt_out, is_told
from oraclekeep.oracles.pinning import is_complete
from oraclekeep.oracles.processes import is_checked, same_output
from oraclekeep.oracles.relating import FALLBACK, is_same_answer, relate
from oraclekeep.oracles.strength import Fate, Relation, falls_back, rank
from oraclekeep.oracles.subjects import (
    About,
    about,
    goes_through,
    is_same_object,
    looked_up,
    words_of,
)
from oraclekeep.oracles.topics import path_of
from oraclekeep.pools import Pools, name_alike

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from oraclekeep.oracles.checks import Facts
    from oraclekeep.oracles.terms import Term
    from oraclekeep.pools import Pool


@dataclass(frozen=True)
class Change:
    """
    What became of one check: ``old`` is None for an added one, ``new`` for a removed one.
    """

    test: str
    old: Check | None
    new: Check | None
    fate: Fate | None  # None: removed or added
    why: str = ""
    at: str = ""  # the head test where it is now


@dataclass(frozen=True)
class Matching:
    """
    All changes, and which head test each base test became.
    """

    changes: tuple[Change, ...]
    became: dict[str, tuple[str, ...]]


#: How alike two tests must be for one to be the other renamed.
_ALIKE: Final = 0.5


def match(
    old: dict[str, Facts],
    new: dict[str, Facts],
    hierarchy: Callable[[Term, Term], str],
) -> Matching:
    """
    Pair the checks of both sides; the order of files, tests and checks does not matter.
    """
    pools = Pools.of(old, new)
    related = Relating(pools, hierarchy)
    left, right = pools.left, pools.right
    whole = {nodeid: list(checks) for nodeid, checks in right.items()}
    for nodeid in left:
        if nodeid in right:
            pools.take_equal(nodeid, nodeid)
    pools.take_anywhere()
    partners = _partners(old, new, left, right, pools.became)
    changes: list[Change] = []
    for nodeid in sorted(left):
        mine = _pair(nodeid, left, right, partners[nodeid], whole, related, old[nodeid].checks)
        facts = [new[place] for place in partners[nodeid]]
        mine = [_otherwise(change, mine, right, facts) for change in mine]
        mine = [_at_another_step(change, right, facts, hierarchy) for change in mine]
        changes += mine
    lost = [(index, one.old) for index, one in enumerate(changes) if one.fate is None and one.old is not None]
    for index, heir, why, place in moved_aside(lost, right, hierarchy):
        changes[index] = replace(changes[index], new=heir, fate=Fate.STRONGER, why=why, at=place)
    changes += [
        Change(nodeid, None, one, None, at=nodeid)
        for nodeid, checks in sorted(right.items())
        for one in checks
    ]
    return Matching(tuple(changes), {nodeid: tuple(places) for nodeid, places in partners.items()})


class Relating:
    """
    What became of one check in another, told once for all pairs that say the same.
    """

    def __init__(self, pools: Pools, hierarchy: Callable[[Term, Term], str]) -> None:
        self._pools, self._hierarchy = pools, hierarchy
        self._told: dict[tuple[int, int], Relation | None] = {}

    def __call__(self, old: Check, new: Check) -> Relation | None:
        steps = any(one.op == "block" for one in old.blocks)
        if steps or not (new.expected == ABSENT or terms.is_literal(new.expected)):
            # Where such a value comes from hangs on what was done before it, in each test by itself;
            # so does what became of the steps of a block.
            return relate(old, new, self._hierarchy)
        key = self._pools.number(old), self._pools.number(new)
        if key not in self._told:
            self._told[key] = relate(old, new, self._hierarchy)
        return self._told[key]


def _partners(
    old: dict[str, Facts], new: dict[str, Facts], left: Pool, right: Pool, became: dict[str, Counter[str]]
) -> dict[str, list[str]]:
    """
    Decide which head tests a base test may have become, best first.
    """
    fresh = {nodeid: _calls(checks) for nodeid, checks in right.items() if nodeid not in old and checks}
    places_of: dict[str, list[str]] = defaultdict(list)
    for nodeid, path in ((nodeid, path) for nodeid, paths in fresh.items() for path in paths):
        places_of[path].append(nodeid)
    found: dict[str, list[str]] = {}
    for mine in left:
        places = [mine] if mine in new else []
        places += [place for place, _ in became[mine].most_common() if place not in places]
        if mine not in new and left[mine]:
            wanted = _calls(left[mine])
            near = {place for path in wanted for place in places_of[path]}  # a like name alone is too little
            scored = sorted(
                (
                    (len(wanted & fresh[place]) / len(wanted) + 0.3 * name_alike(mine, place), place)
                    for place in near
                    if place not in places
                ),
                reverse=True,
            )
            places += [place for score, place in scored if score >= _ALIKE][:3]
        found[mine] = places
    return found


def _calls(checks: list[Check]) -> set[str]:
    """
    Return what the checks of a test look at, without the arguments.
    """
    return {path_of(_last_done(check.subject)) for check in checks}


def _last_done(subject: Term) -> Term:
    """
    Return what a block ends in: that tells what a test is about, however much it sets up in the block.
    """
    while subject.op in {"raised", "excinfo", "block"} and subject.args:
        subject = subject.args[-1]
    return subject


def _pair(
    nodeid: str,
    left: Pool,
    right: Pool,
    partners: list[str],
    whole: Pool,
    related: Relating,
    beside: list[Check],
) -> list[Change]:
    """
    Pair what is left of one test with what is left of its partners, the best pairs first.
    """
    options = _options(left[nodeid], right, partners, related)
    done: set[int] = set()
    used: set[int] = set()
    changes: list[Change] = []
    for _, _, index, new, place, relation in options:
        if index in done or id(new) in used:
            continue
        done.add(index)
        if relation.fate is not Fate.STRONGER or not relation.implied:
            used.add(id(new))
            _take(right, place, new)
        changes.append(Change(nodeid, left[nodeid][index], new, relation.fate, relation.why, place))
    for index, one in enumerate(left[nodeid]):
        if index not in done:
            changes.append(_leftover(nodeid, one, partners, whole, related, beside))
    return changes


def _take(right: Pool, place: str, taken: Check) -> None:
    right[place] = [one for one in right[place] if one is not taken]


def _options(
    checks: list[Check], right: Pool, partners: list[str], related: Relating
) -> list[tuple[int, int, int, Check, str, Relation]]:
    found = []
    for index, one in enumerate(checks):
        for order, place in enumerate(partners):
            for new in right[place]:
                relation = related(one, new)
                if relation is None:
                    continue
                others = right[place] if relation.fate is Fate.WEAKER else ()
                if others and (_covered(one, new, others) or is_complete(one, new, others)):
                    relation = Relation(Fate.SAME, near=relation.near)
                bonus = {Fate.SAME: 30, Fate.STRONGER: 20, Fate.REWRITTEN: 5, Fate.WEAKER: 0}[relation.fate]
                found.append((-(relation.near + bonus), order, index, new, place, relation))

    def preference(option: tuple[int, int, int, Check, str, Relation]) -> tuple[object, ...]:
        near, order, index, new, _, _ = option
        return near, order, new.place.text != checks[index].place.text, index, new.form  # as it was written

    return sorted(found, key=preference)


def _covered(old: Check, new: Check, others: Iterable[Check]) -> bool:
    """
    A check behind a condition is no loss where the other branch ends in one of the same subject, as strong.
    """
    added = [guard for guard in new.guards if guard not in old.guards and guard.op != "foreach"]
    if len(added) != 1 or rank(new) < rank(old):
        return False
    opposite = added[0].args[0] if added[0].value == "Not" else None
    for other in others:
        rest = [guard for guard in other.guards if guard not in old.guards]
        if (
            other is not new
            and len(rest) == 1
            and (rest[0] == opposite or (rest[0].value == "Not" and rest[0].args[0] == added[0]))
        ):
            return about(old, other) is About.SAME and rank(other) >= rank(old)
    return False


def _leftover(
    nodeid: str,
    one: Check,
    partners: list[str],
    whole: Pool,
    related: Relating,
    beside: list[Check],
) -> Change:
    """
    A check with no partner of its own may still be implied by what stands in the test.
    """
    for place in partners:
        for new in whole[place]:
            relation = related(one, new) if new.form != one.form else None
            if relation is None or not relation.implied or relation.fate not in (Fate.STRONGER, Fate.SAME):
                continue
            known = [other for other in beside if other.form == new.form]
            if not known or any(_is_of_one_value(one, other) for other in known):
                return Change(nodeid, one, new, Fate.STRONGER, relation.why, place)
        if (each := asked_of_each(one, whole[place])) is not None:
            return Change(nodeid, one, each, Fate.STRONGER, "each item is asked now", place)
    if one.kind is Kind.TEXT and one.subject.args:
        for place in partners:
            for new in whole[place]:
                if new.kind in (Kind.RAISES, Kind.WARNS) and new.subject == one.subject.args[0]:
                    return Change(nodeid, one, new, Fate.WEAKER, "the message is no longer compared", place)
    return Change(nodeid, one, None, None)


def _is_of_one_value(one: Check, other: Check) -> bool:
    """
    Return whether two checks of one test look at the same value, at the same moment.
    """
    alike = about(one, other) is About.SAME and one.sides[0] != other.sides[0]  # side by side they are two
    return not alike and (one.taken == other.taken or one.scene == other.scene)


def _otherwise(change: Change, beside: list[Change], right: Pool, facts: list[Facts]) -> Change:
    """
    Give a check that found no partner one more chance: an inverted contract, or a value reached another way.
    """
    old = change.old
    if old is not None and change.fate in (None, Fate.WEAKER) and is_spelt_out(old, facts):
        return replace(change, fate=Fate.SAME, why="", at=facts[0].nodeid)
    if change.fate is not None or old is None or old.dead:
        return change
    if old.kind is Kind.RAISES and any(goes_through(old.subject, one) for one in facts):
        return replace(
            change, fate=Fate.REWRITTEN, why="no error is expected any more", new=old, at=facts[0].nodeid
        )
    block = next(
        (one.args[0] for one in terms.walk(old.subject) if one.op in {"raised", "excinfo"} and one.args), None
    )
    if block is not None and (new := _replaced(block, beside, facts)) is not None:
        return replace(
            change,
            fate=Fate.REWRITTEN,
            why="the error that it looked at is no longer expected",
            new=new,
            at=facts[0].nodeid,
        )
    if is_checked(old, facts) or is_told(old, facts):
        return replace(change, fate=Fate.SAME, new=old, at=facts[0].nodeid)
    for one in facts:
        place = one.nodeid if one.nodeid in right else ""
        for new in right.get(place, []):
            if _same_answer(old, new):
                _take(right, place, new)
                if falls_back(new) and not falls_back(old):
                    return replace(change, fate=Fate.WEAKER, why=FALLBACK, new=new, at=place)
                if _is_same_value(old, new, one):
                    return replace(change, fate=Fate.SAME, new=new, at=place)
                return replace(
                    change, fate=Fate.REWRITTEN, why="the value is reached another way", new=new, at=place
                )
    return change


def _is_same_value(old: Check, new: Check, facts: Facts) -> bool:
    if same_output(old.subject, new.subject, facts):
        return True
    return new.expected != terms.NONE and looked_up(old.subject) == looked_up(new.subject)


def _at_another_step(
    change: Change, right: Pool, facts: list[Facts], hierarchy: Callable[[Term, Term], str]
) -> Change:
    """
    An error that was expected of one call may now be expected of another one on the same object.
    """
    old = change.old
    if change.fate is not None or old is None or old.dead or old.kind not in (Kind.RAISES, Kind.TEXT):
        return change
    block = old.subject.args[0] if old.kind is Kind.TEXT and old.subject.args else old.subject
    for one in facts:
        for new in right.get(one.nodeid, []):
            if new.kind is not old.kind or new.dead or new.guards != old.guards:
                continue
            other = new.subject.args[0] if new.kind is Kind.TEXT and new.subject.args else new.subject
            looser = (
                hierarchy(old.expected, new.expected) == "wider"
                if old.kind is Kind.RAISES
                else new.detail != old.detail
            )
            if not looser and is_same_object(block, other):
                _take(right, one.nodeid, new)
                why = "the error is expected of another call"
                return replace(change, fate=Fate.REWRITTEN, why=why, new=new, at=one.nodeid)
    return change


def _replaced(block: Term, beside: list[Change], facts: list[Facts]) -> Check | None:
    for change in beside:
        if change.old is not None and change.old.kind is Kind.RAISES and change.old.subject == block:
            if (
                change.fate is Fate.REWRITTEN
                and change.new is not None
                and change.new.kind not in (Kind.RAISES, Kind.WARNS)
            ):
                return change.new
            if change.fate is None and any(goes_through(block, one) for one in facts):
                return change.old
    return None


def _same_answer(old: Check, new: Check) -> bool:
    if _conditions(old) != _conditions(new):
        return False
    if is_same_answer(old, new):
        return True
    same = (old.kind, old.expected, old.detail, old.extra) == (new.kind, new.expected, new.detail, new.extra)
    return same and bool(words_of(old.subject) & words_of(new.subject))


def _conditions(check: Check) -> tuple[bool, list[Term]]:
    """
    A loop may go over the same values in another place; a condition has to be the same one.
    """
    others = [guard for guard in check.guards if guard.op != "foreach"]
    return len(others) < len(check.guards), others
