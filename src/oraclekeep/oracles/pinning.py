"""
How much of the calls of a mock a check pins, in whichever of the many ways it asks for them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from oraclekeep.oracles import terms
from oraclekeep.oracles.checks import Check, Kind
from oraclekeep.oracles.mocks import PINS
from oraclekeep.oracles.strength import Fate, Relation
from oraclekeep.oracles.subjects import ANYTHING, widened_any
from oraclekeep.oracles.terms import Term

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_FIELDS: Final = {
    "call_args_list": 6, "await_args_list": 6, "mock_calls": 6, "method_calls": 6,
    "call_args": 4, "await_args": 4, "call_count": 3, "await_count": 3, "called": 1, "awaited": 1,
}  # fmt: skip
_LISTS: Final = frozenset({"call_args_list", "await_args_list", "mock_calls", "method_calls"})
_LAST: Final = frozenset({"call_args", "await_args"})


@dataclass(frozen=True, slots=True)
class Pinned:
    """
    What a check says of the calls of one mock; ``part`` names the arguments that it looks at alone.
    """

    mock: Term
    pins: int
    expected: Term
    negative: bool = False
    calls: tuple[Term, ...] | None = None  # the calls it names, where it names any
    count: int | None = None  # how many it asks for
    part: tuple[Term, ...] = ()
    at: int | None = None  # which of the calls it looks at alone


def as_mock(check: Check) -> Pinned | None:
    """
    Read a check that asks a mock for its calls, or return None.
    """
    if check.kind is Kind.MOCK:
        named = () if check.detail in {"called", "called_once", "not_called"} else _of_method(check)
        once = 1 if check.detail.startswith("called_once") else None
        pins, negative = PINS.get(check.detail, 2), check.detail == "not_called"
        return Pinned(check.subject, pins, check.expected, negative, named, once)
    exact = check.kind in (Kind.EQUAL, Kind.IS)
    if check.subject.op == "attr" and check.subject.value in _FIELDS:
        if not exact and check.kind not in (Kind.TRUTHY, Kind.FALSY, Kind.ORDER):
            return None
        return _of_field(check, exact=exact)
    if exact and (nth := _nth(check.subject)) is not None:
        one = _arguments(check.expected)
        return Pinned(nth[0], 3, check.expected, calls=(one,), at=nth[1]) if one is not None else None
    if exact and (found := _part(check.subject)) is not None:
        mock, path = found
        return Pinned(mock, 3, check.expected, part=path)
    return None


def _of_method(check: Check) -> tuple[Term, ...] | None:
    args = check.expected.args
    if check.detail != "has_calls":
        return (Term("args", "", args),)
    return _each(args[0]) if args else None


def _of_field(check: Check, *, exact: bool) -> Pinned:
    field, mock = check.subject.value, check.subject.args[0]
    pins = _FIELDS[field] if exact else 1
    zero = check.kind is Kind.FALSY or (check.kind is Kind.EQUAL and check.expected == terms.const(0))
    calls: tuple[Term, ...] | None = ()
    count = None
    if exact and field in _LISTS:
        calls = _each(check.expected)
        count = len(calls) if calls is not None else None
    elif exact and field in _LAST:
        one = _arguments(check.expected)
        calls = (one,) if one is not None else None
    elif exact and field.endswith("count") and terms.is_literal(check.expected):
        value = terms.literal(check.expected)
        count = value if isinstance(value, int) else None
    return Pinned(mock, 5 if zero else pins, check.expected, zero, calls, count)


def _each(calls: Term) -> tuple[Term, ...] | None:
    if calls.op not in {"list", "tuple"}:
        return None
    found = [_arguments(one) for one in calls.args]
    return None if None in found else tuple(one for one in found if one is not None)


def _arguments(call: Term) -> Term | None:
    """
    Return the arguments that `call(1, b=2)`, or the pair `((1,), {"b": 2})`, stands for.
    """
    if terms.called(call).rpartition(".")[2] == "call":
        return Term("args", "", call.args[1:])
    if call.op == "tuple" and [one.op for one in call.args] == ["tuple", "dict"]:
        pairs = [(pair.args[0], pair.args[1]) for pair in call.args[1].args if pair.op == "pair"]
        named = sorted((str(terms.literal(key)), value) for key, value in pairs if terms.is_literal(key))
        return Term("args", "", (*call.args[0].args, *(Term("kw", key, (value,)) for key, value in named)))
    return None


def _part(subject: Term) -> tuple[Term, tuple[Term, ...]] | None:
    """
    Return the mock and the path of `mock.call_args[0][1]`.
    """
    path: list[Term] = []
    while subject.op == "index":
        path.append(subject.args[1])
        subject = subject.args[0]
    if not path or subject.op != "attr" or subject.value not in _LAST:
        return None
    return subject.args[0], tuple(path[::-1])


def _nth(subject: Term) -> tuple[Term, int] | None:
    """
    Return the mock and the number of the call that `mock.call_args_list[1]` looks at.
    """
    whole = subject.args[0] if subject.op == "index" else None
    if whole is None or whole.op != "attr" or whole.value not in _LISTS or subject.args[1].op != "const":
        return None
    place = terms.literal(subject.args[1])
    return (whole.args[0], place) if isinstance(place, int) else None


def _asked(part: tuple[Term, ...], call: Term) -> Iterator[Term]:
    """
    Yield what a call gives where a part of it is looked at.
    """
    places = tuple(one for one in call.args if one.op != "kw")
    named = {terms.const(one.value): one.args[0] for one in call.args if one.op == "kw"}
    if part[0] == terms.const(0):
        whole: Term = Term("tuple", "", places)
        held = dict(zip(map(terms.const, range(len(places))), places, strict=True))
    else:
        pairs = (Term("pair", "", pair) for pair in named.items())
        whole, held = Term("dict", "", tuple(sorted(pairs))), named
    if len(part) == 1:
        yield whole
    elif len(part) == 2 and part[1] in held:
        yield held[part[1]]


def relate_mocks(old: Pinned, new: Pinned) -> Relation | None:
    """
    Say what became of a question to a mock if another one took its place.
    """
    if _bare(old.mock) != _bare(new.mock):
        return None
    if old.negative and new.negative:
        return Relation(Fate.SAME, near=70)
    if old.negative != new.negative:
        return Relation(Fate.REWRITTEN, "the call is expected the other way round", 50)
    if old.at is not None:
        return _of_one_call(old, new)
    if new.part or new.at is not None:
        return Relation(Fate.WEAKER, "less of the calls is compared", 60)
    if old.part:
        if not new.calls:
            return None
        held = any(old.expected in _asked(old.part, call) for call in new.calls)
        if any(widened_any(old.expected, one) for call in new.calls for one in _asked(old.part, call)):
            return Relation(Fate.WEAKER, ANYTHING, 70)
        words = "more of the calls is compared" if held else "the expected call changed"
        return Relation(Fate.STRONGER if held else Fate.REWRITTEN, words, 60)
    names_values = old.calls is None or any(one.args for one in old.calls)
    if names_values and widened_any(old.expected, new.expected):
        return Relation(Fate.WEAKER, ANYTHING, 70)
    if _in_any_order(new.expected) != _in_any_order(old.expected) and new.pins == old.pins:
        looser = _in_any_order(new.expected)
        words = "the calls may come in any order" if looser else "the calls must come in order"
        return Relation(Fate.WEAKER if looser else Fate.STRONGER, words, 70)
    if widened_any(new.expected, old.expected) and new.pins >= old.pins:
        return Relation(Fate.STRONGER, "a value took the place of `ANY`", 70)
    if new.pins < old.pins:
        return Relation(Fate.WEAKER, "less of the calls is compared", 60 + new.pins)
    if new.pins > old.pins:
        if _says_otherwise(old, new):
            return Relation(Fate.REWRITTEN, "the expected call changed", 60)
        return Relation(Fate.STRONGER, "more of the calls is compared", 60)
    alike = old.calls is not None and (old.calls, old.count) == (new.calls, new.count)
    if old.expected == new.expected or alike:
        return Relation(Fate.SAME, near=70)
    return Relation(Fate.REWRITTEN, "the expected call changed", 60)


def is_complete(old: Check, new: Check, others: Iterable[Check]) -> bool:
    """
    Return whether calls that come in an order, with their number beside them, are all the calls of before.
    """
    before, after = as_mock(old), as_mock(new)
    if before is None or after is None or not before.calls or before.calls != after.calls:
        return False
    if before.count != len(before.calls) or new.detail != "has_calls" or _in_any_order(new.expected):
        return False
    beside = [as_mock(one) for one in others if set(one.guards) <= set(old.guards)]
    counts = {_bare(one.mock): one.count for one in beside if one is not None and one.count is not None}
    return counts.get(_bare(before.mock)) == before.count


def _of_one_call(old: Pinned, new: Pinned) -> Relation | None:
    """
    Compare a question about one of the calls with what took its place.
    """
    if new.part or not new.calls or old.at is None or old.calls is None:
        return None
    if new.at is not None:
        same = new.at == old.at
        return Relation(Fate.REWRITTEN, "the expected call changed", 60) if same else None
    if new.count is None and new.pins < _FIELDS["call_args_list"]:
        return Relation(Fate.WEAKER, "less of the calls is compared", 60)
    asked = dict(enumerate(new.calls)).get(old.at % len(new.calls) if old.at < 0 else old.at)
    if any(widened_any(one, asked) for one in old.calls if asked is not None):
        return Relation(Fate.WEAKER, ANYTHING, 70)
    held = asked == old.calls[0]
    words = "more of the calls is compared" if held else "the expected call changed"
    return Relation(Fate.STRONGER if held else Fate.REWRITTEN, words, 60)


def _bare(mock: Term) -> Term:
    """
    Return which mock is asked, whatever it was told when it was made.
    """
    if mock.op == "mock":
        return Term("mock")
    return Term(mock.op, mock.value, tuple(map(_bare, mock.args))) if mock.args else mock


def _says_otherwise(old: Pinned, new: Pinned) -> bool:
    """
    Return whether the closer question asks for other calls, or for another number of them.
    """
    if old.calls and new.calls is not None and not set(old.calls) <= set(new.calls):
        return True
    return old.count is not None and new.count is not None and old.count != new.count


def _in_any_order(expected: Term) -> bool:
    return any(
        one.op == "kw" and one.value == "any_order" and one.args[0] != terms.FALSE for one in expected.args
    )
