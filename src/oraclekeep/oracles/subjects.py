"""
What two checks are about: the same value, the same call on another input, a part, or the whole.
"""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING, Final

from oraclekeep.oracles import terms
from oraclekeep.oracles.checks import Kind, makes
from oraclekeep.oracles.terms import Term
from oraclekeep.oracles.topics import path_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from oraclekeep.oracles.checks import Check, Facts
    from oraclekeep.oracles.topics import Topic

_NOTHING: Final = (Term("dict"), Term("list"), Term("tuple"))
ANYTHING: Final = "an object that matches more than one value took the place of a value"


#: What an expected value may be taken from that moves by itself.
_CLOCKS: Final = frozenset(
    {
        "datetime.date.today",
        "datetime.datetime.now",
        "datetime.datetime.utcnow",
        "time.time",
        "time.monotonic",
    }
)


class About(enum.Enum):
    """
    How the new check's subject relates to the old one's.
    """

    SAME = "the same value"
    INPUT = "the same call on another input"
    PART = "something made from it"
    WHOLE = "what it was a part of"
    NOTHING = "something else"


def about(old: Check, new: Check) -> About:
    """
    Compare the subjects; of a comparison between two live values either side may be meant.
    """
    best = About.NOTHING
    for index, mine in enumerate(old.topics):
        for other, theirs in enumerate(new.topics):
            if index and other:
                continue  # the same answer to another question
            found = _about(mine, theirs)
            if found is About.PART and (index or other) and mine.term not in _spine(theirs.term):
                continue  # the value that was expected is an argument now
            if _ORDER.index(found) < _ORDER.index(best):
                best = found
    return best


_ORDER: Final = [About.SAME, About.WHOLE, About.PART, About.INPUT, About.NOTHING]


def _spine(term: Term) -> Iterator[Term]:
    """
    Yield what a value is taken out of or made from, outermost first.
    """
    yield term
    while term.op in {"attr", "index", "call", "set", "grow", "delete"} and term.args:
        term = term.args[-1] if terms.called(term) in terms.PURE else term.args[0]
        yield term


def is_same_object(old: Term, new: Term) -> bool:
    """
    Return whether something is done with one and the same object of the product.
    """
    mine = {one for one in _spine(old) if one.op == "call" and names_production(one)}
    done = new.args[0] if new.op == "call" else new
    return any(one in mine for one in _spine(done) if one.op != "name")


def is_path_from(old: Term, new: Term) -> bool:
    """
    Return whether the new subject is a field or an item of the old one, however deep.
    """
    while new.op in {"attr", "index"}:
        new = new.args[0]
        if new == old:
            return True
    return False


def _about(old: Topic, new: Topic) -> About:
    if old.term == new.term or (old.path == new.path and _same_call(old.term, new.term)):
        return About.SAME
    if old.is_trivial or new.is_trivial:
        return About.NOTHING
    if new.holds(old):
        return About.PART
    if old.holds(new):
        return About.WHOLE
    if old.path == new.path and old.is_named:
        other = differs_in_literals(old.term, new.term) or _is_fed_otherwise(old.term, new.term)
        return About.INPUT if other else About.SAME
    return About.NOTHING


def differs_in_literals(old: Term, new: Term) -> bool:
    """
    Return whether a literal stands where the two differ; the rest is another way of making the same.
    """
    return any(
        terms.is_literal(one)
        or terms.is_literal(other)
        or ("cut" in {one.op, other.op} and terms.may_differ_in_literals(one, other))
        or (one.op == other.op == "list" and _hold_others(one, other))
        or (one.op == other.op == "fstr" and _texts(one) != _texts(other))
        for one, other in differences(old, new)
    )


def _hold_others(old: Term, new: Term) -> bool:
    """
    Return whether two lists that say each of their items hold other literals: the words of a command.
    """
    mine, theirs = (sorted(filter(terms.is_literal, one.args)) for one in (old, new))
    return mine != theirs and not any(one.op in {"star", "unknown"} for one in (*old.args, *new.args))


def _texts(text: Term) -> list[Term]:
    return [one for one in text.args if one.op == "const"]


#: Functions that make another value of what they are given.
_MAKING: Final = frozenset(
    {"reversed", "sorted", "abs", "set", "round", "min", "max", "sum", "len", "any", "all"}
)


def _is_fed_otherwise(old: Term, new: Term) -> bool:
    """
    Return whether a comprehension picks by another condition, or a value is turned into another one.
    """
    asked = {one for one in terms.walk(old) if one.op == "if"}
    if asked and any(one.op == "if" and one not in asked for one in terms.walk(new)):
        return True
    return any(
        terms.called(whole) in _MAKING and part in whole.args
        for pair in differences(old, new)
        for whole, part in (pair, pair[::-1])
    )


def differences(old: Term, new: Term) -> Iterator[tuple[Term, Term]]:
    """
    Yield the smallest parts in which two terms differ.
    """
    if old == new:
        return
    if (
        old.op == new.op
        and old.value == new.value
        and len(old.args) == len(new.args)
        and not (terms.is_literal(old) and terms.is_literal(new))
    ):
        for one, other in zip(old.args, new.args, strict=True):
            yield from differences(one, other)
    else:
        yield old, new


def respelt(term: Term, model: Term) -> Term:
    """
    Return a term with its calls written as the model writes the same calls.
    """
    calls: dict[int, list[Term]] = {}
    for one in terms.walk(model):
        if one.op == "call":
            calls.setdefault(len(one.args), []).append(one)
    for one in terms.walk(term) if calls else ():
        if one.op != "call" or len(one.args) not in calls:
            continue
        same = (other for other in calls[len(one.args)] if other != one and _same_call(one, other))
        twin = next(same, None)
        if twin is not None and any(arg.op == "kw" for arg in (*one.args, *twin.args)):
            return terms.replace(term, one, twin)
    return term


def _same_call(old: Term, new: Term) -> bool:
    """
    `f(1, b=2)` and `f(1, 2)` are one call where the values come in the same order.
    """
    if old.op != new.op or old.value != new.value or len(old.args) != len(new.args):
        return False
    if old.op == "call" and any(arg.op == "kw" for arg in (*old.args, *new.args)):
        return _alike(old.args[0], new.args[0]) and _same_arguments(old, new)
    return bool(old.args) and all(map(_alike, old.args, new.args))


def _alike(old: Term, new: Term) -> bool:
    return old == new or _same_call(old, new)


def _same_arguments(old: Term, new: Term) -> bool:
    """
    Compare what two calls are given by name, then by place, then what the one names and the other does not.
    """
    mine, theirs = ({arg.value: arg.args[0] for arg in one.args if arg.op == "kw"} for one in (old, new))
    if not all(_alike(mine[name], theirs[name]) for name in mine.keys() & theirs.keys()):
        return False
    places, others = terms.positional(old), terms.positional(new)
    shared = min(len(places), len(others))
    if not all(map(_alike, places[:shared], others[:shared])):
        return False
    rest = [*places[shared:], *(value for name, value in mine.items() if name not in theirs)]
    more = [*others[shared:], *(value for name, value in theirs.items() if name not in mine)]
    return sorted(rest) == sorted(more) or (len(rest) == len(more) == 1 and _alike(rest[0], more[0]))


def looked_up(term: Term) -> Term:
    """
    Return the term with `(x or {}).get(key)` as `x[key]`: both give the value, if there is one.
    """
    if term.op == "bool" and term.value == "Or" and term.args[1] in _NOTHING:
        return looked_up(term.args[0])
    args = tuple(map(looked_up, term.args))
    if terms.method(term) == "get" and len(args) == 2 and args[1].op != "kw":
        return Term("index", "", (args[0].args[0], args[1]))
    return Term(term.op, term.value, args) if args else term


def fallbacks(term: Term) -> Iterator[Term]:
    """
    Yield the term with each of its fallbacks in place of what could fall back: `x or d`, `x.get(k, d)`.
    """
    for one in terms.walk(term):
        for other in _defaults(one):
            yield terms.replace(term, one, other)


def _defaults(term: Term) -> tuple[Term, ...]:
    if term.op == "bool" and term.value == "Or":
        return term.args[1:]
    if term.op == "ifexp":
        return tuple(one for one in term.args[1:] if terms.is_literal(one))
    if term.op != "call":
        return ()
    if term.args[0].op == "mock":  # it gives what the test itself told it
        return tuple(one.args[0] for one in term.args[0].args if one.value == "return_value")
    places = terms.positional(term)
    takes = {"getattr": 3, "next": 2}.get(terms.called(term)) or (
        2 if terms.method(term) in {"get", "pop", "setdefault"} else 0
    )
    return places[-1:] if takes and len(places) == takes else ()


def widened_any(old: Term, new: Term) -> bool:
    """
    Return whether `mock.ANY`, or another object that says itself what it equals, took the place of a value.
    """
    before, after = (sum(1 for one in terms.walk(term) if _is_matcher(one)) for term in (old, new))
    return after > before


def _is_matcher(term: Term) -> bool:
    if term.op == "name":
        return term.value.endswith("mock.ANY") or term.value.startswith("dirty_equals.")
    return term.op == "matcher"


def computed(before: Term, new: Check) -> bool:
    """
    Return whether the expected value is newly taken from the code under test, or from the output itself.
    """
    if new.kind is Kind.IS and terms.method(new.subject) and new.subject.args[0].args[0] == new.expected:
        return False  # that a call gives its own object back is an answer of its own
    theirs = list(_sources(new.expected, new.subject))
    mine = list(_sources(before, new.subject)) if theirs else []
    return (len(theirs) > len(mine) and bool(set(theirs) - set(mine))) or written_before(new, new.scene)


def written_before(new: Check, scene: Iterable[Term]) -> bool:
    """
    Return whether the expected value is read from where the test itself has put the output.
    """
    subject = new.subject
    while subject.op == "fstr" or (subject.op == "bin" and subject.value == "Add"):  # it got a line end
        subject = next((one for one in subject.args if not terms.is_literal(one)), subject.args[0])
    output = next(outputs(subject), None) if scene else None
    if output is None or terms.is_literal(new.expected):
        return False
    scene = tuple(scene)
    own = set(terms.walk(output))
    asked = {one for one in terms.walk(new.expected) if one.op not in {"const", "name"}} - own
    return any(
        any(terms.contains(arg, output) for arg in effect.args[1:])
        and any(one in asked for one in terms.walk(effect) if not terms.contains(one, output))
        for effect in scene
        if effect.op == "call"
    ) or any(
        effect.op == "set"
        and Term("attr", effect.value, effect.args[:1]) in asked
        and terms.contains(effect.args[1], output)
        for effect in scene
    )


def _sources(expected: Term, subject: Term) -> Iterator[Term]:
    """
    Yield the places in an expected value where code under test speaks.
    """
    output = set(outputs(subject))
    for one in terms.walk(expected):
        if (
            one in output
            or (one.op == "name" and one.value.startswith("prod:") and not _is_class(one.value[5:]))
            or (
                one.op == "attr"
                and one.args[0].op == "name"
                and one.args[0].value.startswith("prod:")
                and not one.value.isupper()
                and _is_class(one.args[0].value[5:])
            )
            or (terms.method(one) and names_production(one.args[0].args[0]))
            or (one.op == "name" and one.value in _CLOCKS)
        ):
            yield one


def outputs(subject: Term) -> Iterator[Term]:
    """
    Yield the call whose result is looked at, and an exception that it raised.
    """
    while subject.op in {"attr", "index"}:
        subject = subject.args[0]
    if subject.op in {"raised", "block"} or (
        subject.op == "call" and not makes(subject) and names_production(subject)
    ):
        yield subject


def words_of(term: Term) -> set[str]:
    """
    Return the names by which a value is reached: members, fixtures, mocks, and what the product defines.
    """
    return {
        one.value
        for one in terms.walk(term)
        if one.op in {"attr", "fixture", "mock"} or (one.op == "name" and one.value.startswith("prod:"))
    }


def names_production(term: Term) -> bool:
    """
    Return whether the code under test speaks anywhere in a term.
    """
    return any(name.startswith("prod:") for name in terms.names_in(term))


def asks_others(old: Check, new: Check) -> bool:
    """
    Return whether a question to the product became one that only the suite's own code answers.
    """
    if not names_production(old.subject) or new.kind in (Kind.MOCK, Kind.RAISES, Kind.WARNS):
        return False
    for side in (new.subject, new.expected):
        if any(one.op in _UNKNOWN or one.value.startswith(("prod:", "pmod:")) for one in terms.walk(side)):
            return False
    return True


#: What may stand for the product, as far as a term can tell.
_UNKNOWN: Final = frozenset(
    {"fixture", "param", "drawn", "unknown", "opaque", "cut", "entered", "each", "acc", "captured", "buffer"}
)


def _is_class(name: str) -> bool:
    bare = name.lstrip("_")
    return bare[:1].isupper() and not (bare.isupper() and len(bare) > 1)


def goes_through(block: Term, facts: Facts) -> bool:
    """
    Return whether head makes the same call, on whatever input, and expects no error of it.
    """
    path = path_of(block)
    if any(check.kind is Kind.RAISES and path_of(check.subject) == path for check in facts.checks):
        return False
    calls = [term for term, _ in facts.effects]
    calls += [part for check in facts.checks for part in terms.walk(check.subject) if part.op == "call"]
    return any(path_of(one) == path for one in calls)
