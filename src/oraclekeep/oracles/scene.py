"""
The scene of a check: what was done before it to what it looks at, and what was set up around it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from oraclekeep.oracles import terms
from oraclekeep.oracles.checks import plain
from oraclekeep.oracles.editing import edits_of
from oraclekeep.oracles.mocks import TOLD
from oraclekeep.oracles.showing import show
from oraclekeep.oracles.subjects import names_production, outputs
from oraclekeep.oracles.terms import Term

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

#: Calls, by their last name, that set the clock or the settings under which the product runs.
_SURROUNDINGS: Final = frozenset(
    {"freeze_time", "travel", "travel_to", "move_to", "override_settings", "modify_settings"}
)
_PLANTING: Final = frozenset({"setenv", "setattr", "setitem", "chdir"})
#: What takes away the one plants the other -> how many arguments say where.
_TAKING: Final = {"delenv": ("setenv", 1), "delattr": ("setattr", 2), "delitem": ("setitem", 2)}
#: What an answer may be made of that says all about itself.
_WRITTEN_OUT: Final = frozenset({"const", "name", "list", "tuple", "dict", "pair", "call", "kw"})


def receiver(effect: Term) -> Term | None:
    """
    Return the object that a statement changes or asks something of: `cart` of `cart.items.add(1)`.
    """
    if effect.op == "tolerated":
        return receiver(effect.args[0])
    if effect.op == "set":
        one = effect.args[0]
    elif effect.op == "call" and effect.args[0].op == "attr":
        one = effect.args[0].args[0]
    else:
        return None
    while one.op in {"attr", "index"} or terms.method(one):
        inner = one.args[0].args[0] if one.op == "call" else one.args[0]
        if inner == terms.name("self"):
            break
        one = inner
    return one


def concerns(effect: Term, *values: Term) -> bool:
    """
    Return whether a statement is about an object that one of the values was asked of.
    """
    base = receiver(effect)
    return base is not None and any(terms.contains(value, base) for value in values)


def edits(subject: Term, effects: Iterable[Term]) -> tuple[Term, ...]:
    """
    Return the statements that change a result of the code under test, where the subject looks at it.
    """
    effects = tuple(effects)
    found = [one for effect in effects for one in edits_of(effect)]
    parts = tuple(terms.walk(subject)) if found else ()
    changed = [effect for effect in found if _hits(effect, subject, parts)]
    mended = () if changed or not found else _mended(subject, effects)
    return (*changed, *mended, *_overwritten(parts, found))


def _mended(subject: Term, effects: tuple[Term, ...]) -> Iterator[Term]:
    """
    Yield how the test changes what an object of the product holds after the product has had it last.
    """
    state = receiver_of_copy(subject)
    if state.op != "attr" or not names_production(state) or any(outputs(state)):
        return
    for effect in reversed(effects):
        edited = [one for one in edits_of(effect) if _owner(one) == state]
        if not edited and terms.contains(effect, state.args[0]):
            return
        yield from edited


def _owner(edit: Term) -> Term:
    return edit.args[0] if edit.op == "set" else edit.args[0].args[0]


def _overwritten(parts: Iterable[Term], effects: list[Term]) -> Iterator[Term]:
    """
    Yield what the test puts in the place of a result that it kept in a container of its own.
    """
    for part in parts:
        if part.op == "index" and not any(outputs(part.args[0])):
            key = show(part.args[1])
            puts = [
                one for one in effects if one.op == "set" and one.args[0] == part.args[0] and one.value == key
            ]
            if any(names_production(one.args[1]) for one in puts) and not names_production(puts[-1].args[1]):
                yield puts[-1]


def _hits(effect: Term, subject: Term, parts: tuple[Term, ...]) -> bool:
    owner = _owner(effect)
    if effect.op == "set" and owner.op == "attr" and owner.value == "__class__":
        owner = owner.args[0]  # what its class has, it has
    if effect.op == "set" and any(
        one.op == "call" and terms.method(one) == effect.value and one.args[0].args[0] == owner
        for one in parts
    ):
        return True  # the method that is asked was replaced
    if effect.op == "set" and subject == Term("attr", effect.value, (owner,)):
        return effect.args[1].op != "mock"  # the test itself says what it will find
    if not any(outputs(owner)):
        return False
    if plain(owner) in (plain(subject), plain(receiver_of_copy(subject))):
        return True
    looked = [one for one in parts if one.op in {"index", "attr"} and one.args[0] == owner]
    keys = set(_keys(effect)) if looked else ()
    return any(_key(one) in keys for one in looked)


def receiver_of_copy(subject: Term) -> Term:
    """
    Return what `sorted(x)`, `set(x)` and their like were made from.
    """
    return subject.args[1] if terms.called(subject) in terms.PURE and len(subject.args) == 2 else subject


def _key(term: Term) -> str:
    return term.value if term.op == "attr" else show(term.args[1])


def _keys(effect: Term) -> Iterator[str]:
    """
    Yield the keys or attributes that an edit may write.
    """
    if effect.op == "set":
        yield effect.value
        return
    for arg in effect.args[1:]:
        if arg.op == "kw":
            yield repr(arg.value)
        elif arg.op == "dict":
            yield from (show(pair.args[0]) for pair in arg.args if pair.args)
        else:
            yield show(arg)


def surrounds(term: Term) -> bool:
    """
    Return whether a statement, context or decorator sets what the product runs under.
    """
    if term.op == "patched":
        return True
    name = (terms.called(term) or terms.method(term)).rpartition(".")[2]
    plants = name in _PLANTING or name in _TAKING
    return name in _SURROUNDINGS or (
        plants and term.op == "call" and receiver(term) == Term("fixture", "monkeypatch")
    )


def counts(effect: Term) -> bool:
    """
    Return whether what a test does may have the product answer otherwise.
    """
    return names_production(effect) or effect.op == "set" or surrounds(effect)


def spot_of(effect: Term) -> tuple[Term, ...]:
    """
    Return what two statements share that do the same thing with other constants.
    """
    if _tells(effect):
        return (Term("set", effect.value, (terms.skeleton(effect.args[0]),)),)
    if _feeds(effect):
        return (Term("set", effect.value, (terms.skeleton(effect.args[0]),)),)
    if (taken := _TAKING.get(terms.method(effect))) is not None:
        planted, places = taken
        return (terms.attr(effect.args[0].args[0], planted), *terms.positional(effect)[:places])
    return effect.args[:-1] if terms.method(effect) in _PLANTING else (terms.skeleton(effect),)


def _feeds(effect: Term) -> bool:
    """
    Return whether a helper of the suite is told to hold more, or less, than it held.
    """
    if effect.op != "set" or not effect.value:
        return False  # a set that is written out is no statement
    return effect.args[1].op == "bin" and effect.args[1].args[0].op == "held"


def _tells(effect: Term) -> bool:
    """
    Return whether a named mock is told to answer with something that is written out in the test.
    """
    return (
        effect.op == "set"
        and effect.value in TOLD
        and effect.args[0].op == "attr"
        and all(one.op in _WRITTEN_OUT for one in terms.walk(effect.args[1]))
    )


def tells_the_same(one: Term, other: Term) -> bool:
    """
    Return whether two mocks are told the same, in a list or a tuple, or the same is planted or taken away.
    """
    if _feeds(one) and _feeds(other) and one.args[1].value == other.args[1].value:
        held, more = one.args[1].args[1], other.args[1].args[1]
        if terms.is_literal(held) and terms.is_literal(more):
            return bool(terms.literal(held) == terms.literal(more))
    planted = terms.method(one) in {*_PLANTING, *_TAKING} and one.args[0] == other.args[0]
    if planted and terms.positional(one) == terms.positional(other):
        return True
    return _tells(one) and _leaves(one.args[1]) == _leaves(other.args[1])


def _leaves(value: Term) -> list[Term]:
    return sorted(one for one in terms.walk(value) if not one.args and one.value not in terms.PURE)
