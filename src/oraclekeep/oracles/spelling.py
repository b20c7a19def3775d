"""
One spelling for what the language can say in several ways: displays, comprehensions, pure functions.

Each pair of spellings gives the same value for whatever the code under test gives.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final

from oraclekeep.oracles import terms
from oraclekeep.oracles.formatting import SUMS, formatted, is_text, joined
from oraclekeep.oracles.logged import of_record
from oraclekeep.oracles.terms import NONE, NotLiteral, Term, called, const, literal, method, of, positional

if TYPE_CHECKING:
    from collections.abc import Callable

_COLLECTING: Final = frozenset({"list", "tuple", "set", "frozenset"})
#: Functions that go through what they are given once: a copy of it is as good.
_GOING_THROUGH: Final = frozenset(
    {"all", "any", "sum", "sorted", "min", "max", "set", "frozenset", "tuple", "list"}
)
#: Functions and methods that only spell a plain value otherwise; the rest may be a check of a table's size.
_SPELLING: Final = frozenset(
    {"str", "int", "float", "bytes", "bool", "repr", "textwrap.dedent", "inspect.cleandoc"}
    | {"split", "splitlines", "strip", "lower", "upper", "join", "encode"}
)
_PLAIN: Final = frozenset({str, bytes, bool, int, float, type(None)})
#: The name of what a function may be given in its second place.
_SECOND: Final = {"int": "base", "round": "ndigits", "sum": "start"}
#: What is asked for with these is there or it is not: a true or a false.
TRUTHS: Final = frozenset({"isinstance", "issubclass", "hasattr", "callable", "all", "any", "bool"})


def fold(term: Term) -> Term:
    """
    Replace constant arithmetic by its value, and other spellings by one; containers keep their shape.
    """
    if term.op == "call":
        return _call(term)
    if term.op == "bin" and (text := SUMS.get(term.value, _nothing)(*term.args)) is not None:
        return text
    if term.op in {"bin", "unary", "cmp", "index"} and all(
        arg.op in {"const", "list", "tuple"} for arg in term.args
    ):
        try:
            return of(literal(term))
        except NotLiteral:
            return term
    return term


def _nothing(_left: Term, _right: Term) -> None:
    return None


def _call(term: Term) -> Term:
    if called(term) in _GOING_THROUGH and len(term.args) > 1 and _is_single(term):
        term = Term("call", "", (term.args[0], _gone_through(term.args[1]), *term.args[2:]))
    key = _SECOND.get(called(term))
    if key is not None and len(term.args) == 3 and term.args[2].value == key and term.args[2].op == "kw":
        term = Term("call", "", (*term.args[:2], *term.args[2].args))
    reader = _FUNCTIONS.get(called(term)) or _METHODS.get(method(term))
    found = reader(term) if reader is not None else None
    return found if found is not None else _with_plain_inputs(term)


def _is_single(term: Term) -> bool:
    return len(positional(term)) == 1 and term.args[1].op != "star"


def _gone_through(items: Term) -> Term:
    """
    Return what is gone through without a list or a tuple that is only made for it.
    """
    while called(items) in {"list", "tuple"} and len(items.args) == 2 and _is_single(items):
        items = items.args[1]
    return items


def _with_plain_inputs(call: Term) -> Term:
    """
    Return a call with the values of pure functions of literals that it is given.
    """
    given = tuple(
        Term("kw", one.value, (_value(one.args[0]),)) if one.op == "kw" else _value(one)
        for one in call.args[1:]
    )
    return call if given == call.args[1:] else Term("call", "", (call.args[0], *given))


def _value(term: Term) -> Term:
    """
    Return the value of a pure function of literals, where it is a plain one.
    """
    asked = (called(term) or method(term)) in _SPELLING
    if not asked or any(one.op in {"set", "dict"} or called(one) == "range" for one in terms.walk(term)):
        return term  # the order of a set is not known, and a range may be of any size
    try:
        value = literal(term)
    except NotLiteral:
        return term
    return of(value) if _is_plain(value) else term


def _is_plain(value: Any) -> bool:
    if isinstance(value, list | tuple):
        return all(map(_is_plain, value))
    return type(value) in _PLAIN and not (isinstance(value, float) and not math.isfinite(value))


def _collected(term: Term) -> Term | None:
    """
    `set([1])` is another spelling of a display, and so is what goes through a comprehension.
    """
    name = called(term)
    if len(term.args) == 1:
        return Term("set" if name == "frozenset" else name)
    if len(term.args) != 2 or not _is_single(term):
        return None
    inner = term.args[1]
    if inner.op in {"list", "tuple"} or (inner.op == "set" and name not in {"list", "tuple"}):
        kind = "set" if name == "frozenset" else name
        return Term(kind, "", tuple(sorted(set(inner.args))) if kind == "set" else inner.args)
    if inner.op == "comp" and (name, inner.value) in {("list", "list"), ("set", "list"), ("set", "set")}:
        return Term("comp", name, inner.args)
    return inner if name == "list" and called(inner) == "sorted" else None


def copy_of(kind: str, items: Term) -> Term:
    """
    Return the list, set, tuple or dictionary that holds what another iterable gives.
    """
    return fold(terms.call(terms.name(kind), (items,)))


def _dict(term: Term) -> Term | None:
    """
    `dict(a=1)` and `dict([("a", 1)])` are other spellings of displays, and of comprehensions.
    """
    named = term.args[1:]
    if all(arg.op == "kw" and arg.value != "**" for arg in named):
        return _display({const(arg.value): arg.args[0] for arg in named})
    inner = term.args[1] if len(term.args) == 2 and _is_single(term) else NONE
    if inner.op == "dict":
        return inner
    if inner.op not in {"list", "tuple", "comp"} or inner.value == "set":
        return None
    out = [one if one.op == "if" else _pair(one) for one in inner.args]
    if None in out:
        return None
    pairs = tuple(one for one in out if one is not None)
    if inner.op == "comp":
        return Term("comp", "dict", pairs)
    return _display({one.args[0]: one.args[1] for one in pairs})


def _pair(one: Term) -> Term | None:
    known = one.op in {"tuple", "list"} and len(one.args) == 2 and all(arg.op != "star" for arg in one.args)
    return Term("pair", "", one.args) if known else None


def _display(pairs: dict[Term, Term]) -> Term:
    return Term("dict", "", tuple(sorted(Term("pair", "", pair) for pair in pairs.items())))


def _of_keys(term: Term) -> Term | None:
    """
    `dict.fromkeys(x, 0)` is `{key: 0 for key in x}`.
    """
    places = positional(term)
    value = places[1] if len(places) == 2 else NONE
    if len(places) != len(term.args) - 1 or len(places) not in {1, 2} or value.op != "const":
        return None
    keys = _gone_through(places[0])
    if any(one.op == "star" for one in (keys, *keys.args)):
        return None
    if keys.op in {"list", "tuple", "set"}:
        return _display(dict.fromkeys(keys.args, value))
    return Term("comp", "dict", (Term("pair", "", (Term("each", "", (keys,)), value)),))


def _range(term: Term) -> Term | None:
    """
    A range begins at 0, and goes on by 1, unless it says otherwise.
    """
    places = positional(term)
    if len(places) != len(term.args) - 1:
        return None
    if len(places) == 3 and places[2] == const(1):
        places = places[:2]
    if len(places) == 2 and places[0] == const(0) and places[1].op != "star":
        places = places[1:]
    return terms.call(term.args[0], places)


def _first(term: Term) -> Term | None:
    """
    `next(iter(x))` is the first of all that is in it.
    """
    inner = term.args[1] if len(term.args) == 2 else NONE
    if called(inner) != "iter" or len(inner.args) != 2 or inner.args[1].op == "star":
        return None
    return Term("index", "", (copy_of("list", inner.args[1]), const(0)))


def _join(term: Term) -> Term | None:
    """
    A text that joins texts which are written out one by one is their sum.
    """
    between, inner = term.args[0].args[0], term.args[1] if len(term.args) == 2 else NONE
    if inner.op not in {"list", "tuple"} or not all(map(is_text, (between, *inner.args))):
        return None
    return joined([piece for one in inner.args for piece in (between, one)][1:])


def _encode(term: Term) -> Term | None:
    """
    A text is encoded as UTF-8 unless it says otherwise.
    """
    said = [one.args[0] if one.op == "kw" and one.value == "encoding" else one for one in term.args[1:]]
    if len(said) != 1 or said[0].op != "const" or not is_text(term.args[0].args[0]):
        return None
    name = literal(said[0])
    plain = Term("call", "", term.args[:1])
    return plain if isinstance(name, str) and name.lower() in {"utf-8", "utf8"} else None


def _length(term: Term) -> Term | None:
    """
    A mock counts the calls that it lists.
    """
    inner = term.args[1] if len(term.args) == 2 else NONE
    counted = _COUNTED.get(inner.value) if inner.op == "attr" else None
    return terms.attr(inner.args[0], counted) if counted is not None else None


def _message(term: Term) -> Term | None:
    """
    A record that `caplog` caught tells its message by a method, too.
    """
    return of_record(term.args[0].args[0], "message") if len(term.args) == 1 else None


_COUNTED: Final = {"call_args_list": "call_count", "await_args_list": "await_count"}


#: Readers by what is called; a reader that gives None leaves the call as it is.
_FUNCTIONS: Final[dict[str, Callable[[Term], Term | None]]] = {
    **dict.fromkeys(_COLLECTING, _collected), "dict": _dict, "dict.fromkeys": _of_keys,
    "range": _range, "next": _first, "len": _length,
}  # fmt: skip
_METHODS: Final[dict[str, Callable[[Term], Term | None]]] = {
    "format": formatted, "join": _join, "encode": _encode, "getMessage": _message,
}  # fmt: skip
