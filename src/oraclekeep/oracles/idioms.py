"""
Comparisons and predicates that say more than their operator: tolerances, searches, the same items.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from oraclekeep.oracles import terms
from oraclekeep.oracles.checks import ABSENT, Check, Kind, text_check
from oraclekeep.oracles.regexes import spelt
from oraclekeep.oracles.terms import Term

if TYPE_CHECKING:
    from collections.abc import Iterator

    from oraclekeep.oracles.checks import Place

_PREDICATES: Final = frozenset(
    {
        "startswith",
        "endswith",
        "issubset",
        "issuperset",
        "isdisjoint",
        "equals",
        "is_file",
        "is_dir",
        "exists",
    }
)


#: What `array_equiv` says by its name.
SHAPELESS: Final = Term("options", "", (Term("kw", "ignore_shape", (terms.TRUE,)),))
_SEARCHES: Final = frozenset({"re.match", "re.search", "re.fullmatch"})


def is_live(term: Term) -> bool:
    """
    Does the term depend on anything that runs?  Constructors of literals do not count.
    """
    for one in terms.walk(term):
        if one.op in {
            "fixture",
            "buffer",
            "param",
            "drawn",
            "each",
            "acc",
            "local",
            "mock",
            "raised",
            "excinfo",
            "unknown",
            "opaque",
            "cut",
            "lambda",
        }:
            return True
        if one.op == "name" and one.value.startswith("prod:") and not _is_type_name(one.value[5:]):
            return True
        if one.op == "call" and one.args[0].op == "attr":
            return True
    return False


def _is_type_name(name: str) -> bool:
    return name.lstrip("_")[:1].isupper() and not name.isupper()


def tolerance(rel: Term | None, absolute: Term | None) -> Term:
    """
    Return the pair of tolerances that an approximate comparison allows.
    """
    return Term("tol", "", (rel or terms.const(0.0), absolute or terms.const(0.0)))


def approximate(op: str, left: Term, right: Term, place: Place, guards: tuple[Term, ...]) -> Check | None:
    """
    Read a comparison with `pytest.approx`.
    """
    if op != "Eq":
        return None
    for wrapped, other in ((right, left), (left, right)):
        if terms.called(wrapped) == "pytest.approx" and len(wrapped.args) > 1:
            rel, absolute = terms.argument(wrapped, 1, "rel"), terms.argument(wrapped, 2, "abs")
            if rel is None and absolute is None:
                rel, absolute = terms.const(1e-06), terms.const(1e-12)
            elif absolute is None:
                absolute = terms.const(1e-12)
            return Check(
                Kind.CLOSE, other, wrapped.args[1], extra=tolerance(rel, absolute), guards=guards, place=place
            )
    return None


def distance(op: str, left: Term, right: Term, place: Place, guards: tuple[Term, ...]) -> Check | None:
    """
    `abs(a - b) < tolerance` is an approximate equality.
    """
    if op == "Eq" and (found := _rounded(left, right)) is not None:
        one, other = found[0].args
        return Check(Kind.CLOSE, one, other, extra=found[1], guards=guards, place=place)
    if (
        op in {"Lt", "LtE"}
        and terms.called(left) == "abs"
        and len(left.args) == 2
        and left.args[1].op == "bin"
        and left.args[1].value == "Sub"
    ):
        one, other = left.args[1].args
        if is_live(other) and not is_live(one):
            one, other = other, one
        return Check(Kind.CLOSE, one, other, extra=tolerance(None, right), guards=guards, place=place)
    return None


def _rounded(left: Term, right: Term) -> tuple[Term, Term] | None:
    """
    Return the difference and the tolerance of `round(abs(a - b), 7) == 0`.
    """
    digits = terms.argument(left, 1, "ndigits") if terms.called(left) == "round" else None
    apart = left.args[1] if digits is not None else left
    if digits is None or digits.op != "const" or right not in (terms.const(0), terms.const(0.0)):
        return None
    number = terms.literal(digits)
    if terms.called(apart) != "abs" or len(apart.args) != 2 or not isinstance(number, int):
        return None
    between = apart.args[1]
    known = between.op == "bin" and between.value == "Sub"
    return (between, half_of_last(number)) if known else None


def half_of_last(digits: int) -> Term:
    """
    Return the tolerance within which two values are equal once their difference is rounded.
    """
    return tolerance(None, terms.const(0.5 * 10.0**-digits))


def searched(op: str, left: Term, right: Term, place: Place, guards: tuple[Term, ...]) -> Check | None:
    """
    A search gives a match or None: `re.search(…) is not None` asks for its truth.
    """
    if terms.called(left) not in _SEARCHES or right != terms.NONE:
        return None
    if op in {"Is", "Eq"}:
        return Check(Kind.FALSY, left, guards=guards, place=place)
    return predicate(left, place, guards, positive=True) if op in {"IsNot", "NotEq"} else None


#: What is asked of a length, which is a whole number and at least 0 -> how that is asked here.
_LENGTHS: Final = {
    ("Gt", 0): (Kind.ORDER, "Gt"), ("GtE", 1): (Kind.ORDER, "Gt"), ("NotEq", 0): (Kind.ORDER, "Gt"),
    ("Lt", 1): (Kind.EQUAL, ""), ("LtE", 0): (Kind.EQUAL, ""), ("Eq", 0): (Kind.EQUAL, ""),
}  # fmt: skip


def length(op: str, left: Term, right: Term, place: Place, guards: tuple[Term, ...]) -> Check | None:
    """
    Read a comparison of a length with what is, or is next to, nothing.
    """
    if terms.called(left) != "len" or right not in (terms.const(0), terms.const(1)):
        return None
    kind, detail = _LENGTHS.get((op, int(right.value)), (None, ""))
    if kind is None:
        return None
    return Check(kind, left, terms.const(0), detail, guards=guards, place=place)


def same_items(op: str, left: Term, right: Term, place: Place, guards: tuple[Term, ...]) -> Check | None:
    """
    `sorted(a) == sorted(b)`, or what is sorted as it stands, asks for the same items in any order.
    """
    if op != "Eq" or terms.called(left) != "sorted" or len(left.args) != 2:
        return None
    wanted = right.args[1] if terms.called(right) == "sorted" and len(right.args) == 2 else None
    if wanted is None and right.op == "list" and terms.is_literal(right):
        value = terms.literal(right)
        wanted = right if _is_sorted(value) else None
    if wanted is None:
        return None
    return Check(Kind.SAME_ITEMS, left.args[1], unordered(wanted), guards=guards, place=place)


def unordered(items: Term) -> Term:
    """
    Return a display in one order, for comparisons in which the order does not count.
    """
    return Term("list", "", tuple(sorted(items.args))) if items.op in {"list", "tuple"} else items


def _is_sorted(values: list[Any]) -> bool:
    try:
        return sorted(values) == values
    except TypeError:
        return False


def predicate(term: Term, place: Place, guards: tuple[Term, ...], *, positive: bool) -> Check | None:
    """
    Read a call that asks for more than its truth: a type, a pattern, nearness.
    """
    name, places = terms.called(term), terms.positional(term)
    short = name.rpartition(".")[2]
    if short in {"isinstance", "issubclass"} and len(places) == 2:
        kind = Kind.TYPE if positive else Kind.NOT_EQUAL
        return Check(kind, places[0], _classes(places[1]), short, guards=guards, place=place)
    if not positive:
        return None
    if short in {"isclose", "allclose"} and len(places) >= 2:
        default = (1e-09, 0.0) if name.startswith("math") else (1e-05, 1e-08)
        rel = terms.argument(term, 2, "rel_tol") or terms.keyword(term, "rtol") or terms.const(default[0])
        absolute = (
            terms.keyword(term, "abs_tol") or terms.argument(term, 3, "atol") or terms.const(default[1])
        )
        subject, expected = (
            (places[1], places[0]) if is_live(places[1]) and not is_live(places[0]) else places[:2]
        )
        sides = (unwrapped(subject), unwrapped(expected)) if short == "allclose" else (subject, expected)
        return Check(Kind.CLOSE, *sides, extra=tolerance(rel, absolute), guards=guards, place=place)
    if short in {"array_equal", "array_equiv"} and len(places) == 2:
        sides = unwrapped(places[0]), unwrapped(places[1])
        extra = ABSENT if short == "array_equal" else SHAPELESS
        return Check(Kind.EQUAL, *sides, extra=extra, guards=guards, place=place)
    if name in _SEARCHES and len(places) >= 2:
        pattern = spelt(places[0], terms.argument(term, 2, "flags"))
        return _search(name, pattern, places[1], place, guards)
    if f"re.{terms.method(term)}" in _SEARCHES and len(places) == 1:
        owner = term.args[0].args[0]
        if terms.called(owner) == "re.compile":
            return _search(f"re.{terms.method(term)}", spelt(owner), places[0], place, guards)
    if terms.method(term) == "startswith" and (error := _said_by(term)) is not None:
        return Check(Kind.TEXT, error, places[0], "starts", guards=guards, place=place)
    if terms.method(term) in _PREDICATES:
        return Check(
            Kind.PREDICATE,
            term.args[0].args[0],
            places[0] if places else ABSENT,
            terms.method(term),
            guards=guards,
            place=place,
        )
    if short in {"hasattr", "callable"} and places:
        return Check(
            Kind.PREDICATE,
            places[0],
            places[1] if len(places) > 1 else ABSENT,
            short,
            guards=guards,
            place=place,
        )
    return None


def _classes(asked: Term) -> Term:
    """
    Return the classes that `isinstance` is given in one spelling: `A | B` and `(B, A)` are `(A, B)`.
    """
    found = tuple(sorted(set(_each_class(asked))))
    return found[0] if len(found) == 1 else Term("tuple", "", found)


def _each_class(asked: Term) -> Iterator[Term]:
    if asked.op == "tuple" or (asked.op == "bin" and asked.value == "BitOr"):
        for one in asked.args:
            yield from _each_class(one)
    elif asked == terms.NONE or asked == terms.call(terms.name("type"), (terms.NONE,)):
        yield terms.name("types.NoneType")
    else:
        yield asked


def _said_by(asked: Term) -> Term | None:
    """
    Return the error whose text is asked for its beginning.
    """
    text = asked.args[0].args[0]
    if terms.called(text) != "str" or len(text.args) != 2 or text.args[1].op not in {"raised", "excinfo"}:
        return None
    plain = len(asked.args) == 2 and asked.args[1].op not in {"tuple", "kw", "star"}
    return Term("raised", "", text.args[1].args) if plain else None


def _search(name: str, pattern: Term, text: Term, place: Place, guards: tuple[Term, ...]) -> Check:
    if terms.called(text) == "str" and len(text.args) == 2 and text.args[1].op in {"raised", "excinfo"}:
        return text_check(Term("raised", "", text.args[1].args), pattern, place, guards)
    return Check(Kind.PREDICATE, text, pattern, name, guards=guards, place=place)


def unwrapped(value: Term) -> Term:
    """
    A list is compared as the array that it is made into.
    """
    made = terms.called(value) in {"numpy.array", "numpy.asarray"} and len(value.args) == 2
    return value.args[1] if made else value
