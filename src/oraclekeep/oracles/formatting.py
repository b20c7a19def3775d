"""
Texts put together from values: `%`, `str.format`, `str` and sums of texts say what an f-string says.
"""

from __future__ import annotations

import re
import string
from typing import TYPE_CHECKING, Final

from oraclekeep.oracles import terms
from oraclekeep.oracles.terms import Term

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

#: The mark of a text made with `%` from values whose types are not known: where they are what `%` takes
#: in another way than an f-string (a tuple, a fraction for `%d`), the two texts differ.
LOOSE: Final = "%"
#: Functions that give a text, whatever they are given.
_GIVING_TEXT: Final = frozenset({"str", "repr", "ascii", "chr", "hex", "oct", "bin", "format"})
#: Methods of a text that give a text.
_TEXT_METHODS: Final = frozenset(
    {"join", "format", "strip", "lstrip", "rstrip", "lower", "upper", "title", "replace", "capitalize"}
    | {"removeprefix", "removesuffix", "casefold", "zfill", "ljust", "rjust", "center", "expandtabs"}
)
_CONVERSIONS: Final = {"r": "repr", "a": "ascii"}
#: A field of `%`: its name, then zeros, a width, and what the value is made into.
_FIELD: Final = re.compile(r"%(?:\((\w+)\))?(0?\d{0,2})([sradxXo%])")


def is_text(term: Term) -> bool:
    """
    Return whether a value is a text, whatever the code under test gives.
    """
    match term.op:
        case "const":
            return term.value[:1] in {"'", '"'}
        case "fstr":
            return True
        case "bin":
            return term.value == "Add" and all(map(is_text, term.args))
        case "call":
            known = terms.method(term) in _TEXT_METHODS and is_text(term.args[0].args[0])
            return known or (terms.called(term) in _GIVING_TEXT and len(term.args) > 1)
        case _:
            return False


def joined(parts: Iterable[Term], mark: str = "") -> Term:
    """
    Return the text that parts are put together to; one value alone is what `str` makes of it.
    """
    flat: list[Term] = []
    for part in (piece for one in parts for piece in _pieces(one)):
        if part.op == "const" and flat and flat[-1].op == "const":
            flat[-1] = terms.const(_said(flat[-1]) + _said(part))
        else:
            flat.append(terms.const(_said(part)) if part.op == "const" else part)
    flat = [part for part in flat if part != terms.const("")]
    if not flat:
        return terms.const("")
    if len(flat) == 1 and not mark:
        return flat[0] if is_text(flat[0]) else terms.call(terms.name("str"), (flat[0],))
    return Term("fstr", mark, tuple(flat))


def _said(part: Term) -> str:
    return str(terms.literal(part))


def _pieces(part: Term) -> Iterator[Term]:
    """
    Yield what a part of a text is put together from.
    """
    if (part.op == "fstr" and not part.value) or (part.op == "bin" and is_text(part)):
        for one in part.args:
            yield from _pieces(one)
    elif terms.called(part) == "str" and len(part.args) == 2 and part.args[1].op not in {"kw", "star"}:
        yield part.args[1]
    else:
        yield part


def field(inner: Term, conversion: str, spec: Term | None) -> Term:
    """
    Return one field of an f-string: `{inner!r:spec}`.
    """
    if spec is not None and spec != terms.const(""):
        return _with_spec(inner, conversion, spec)
    if conversion in _CONVERSIONS:
        name = _CONVERSIONS[conversion]
        known = name == "repr" and terms.is_literal(inner) and not _is_unordered(inner)
        return terms.const(repr(terms.literal(inner))) if known else terms.call(terms.name(name), (inner,))
    return inner


def _with_spec(inner: Term, conversion: str, spec: Term) -> Term:
    if not conversion and inner.op == "const" and spec.op == "const" and len(spec.value) < 8:
        try:
            return terms.const(format(terms.literal(inner), str(terms.literal(spec))))
        except (terms.NotLiteral, ValueError, TypeError):
            pass
    return Term("format", conversion, (inner, spec))


def _is_unordered(term: Term) -> bool:
    """
    Return whether a term has lost the order that the text of its value shows.
    """
    return any(one.op in {"set", "dict"} for one in terms.walk(term))


def formatted(call: Term) -> Term | None:
    """
    Return `"…".format(…)` as an f-string; None where it is none, or asks for parts of what it is given.
    """
    base = call.args[0].args[0]
    if base.op != "const" or not is_text(base):
        return None
    if any(one.op == "star" or (one.op == "kw" and one.value == "**") for one in call.args[1:]):
        return None
    places = terms.positional(call)
    named = {one.value: one.args[0] for one in call.args[1:] if one.op == "kw"}
    try:
        return joined(_fields(str(terms.literal(base)), places, named))
    except (ValueError, LookupError):  # the test would fail
        return None


def _fields(template: str, places: tuple[Term, ...], named: dict[str, Term]) -> Iterator[Term]:
    following = iter(places)
    for text, key, spec, conversion in string.Formatter().parse(template):
        yield terms.const(text)
        if key is None:
            continue
        if not (key == "" or key.isdigit() or key.isidentifier()) or "{" in (spec or ""):
            raise LookupError(key)
        inner = named[key] if key.isidentifier() else places[int(key)] if key else next(following, None)
        if inner is None:
            raise LookupError(key)
        wanted = "" if conversion == "s" and not spec else conversion or ""
        yield field(inner, wanted, terms.const(spec) if spec else None)


def percent(template: Term, given: Term) -> Term | None:
    """
    Return `"…" % given` as an f-string; None where it asks for more than that.
    """
    if template.op != "const" or not is_text(template):
        return None
    pieces = _FIELD.split(str(terms.literal(template)))
    texts = pieces[::4]
    fields = list(zip(pieces[1::4], pieces[2::4], pieces[3::4], strict=True))
    values = _values([key for key, _, kind in fields if kind != "%"], given)
    if values is None or any("%" in one for one in texts):
        return None
    parts, sure, following = [terms.const(texts[0])], _is_sure(given), iter(values)
    for (_, width, kind), text in zip(fields, texts[1:], strict=True):
        part = terms.const("%") if kind == "%" else _made(next(following), width, kind)
        if part is None:
            return None
        sure = sure and part.op != "format"
        parts += [part, terms.const(text)]
    return joined(parts, "" if sure else LOOSE)


def _values(keys: list[str | None], given: Term) -> list[Term] | None:
    """
    Return the values of the fields of `%`, in their order.
    """
    if any(key is not None for key in keys):
        held = {pair.args[0]: pair.args[1] for pair in given.args if pair.op == "pair"}
        found = [held.get(terms.const(key)) for key in keys] if given.op == "dict" else []
        return [one for one in found if one is not None] if found and None not in found else None
    values = list(given.args) if given.op == "tuple" else [given]
    return values if len(values) == len(keys) and all(one.op != "star" for one in values) else None


def _made(inner: Term, width: str, kind: str) -> Term | None:
    """
    Return what a field of `%` makes of a value.
    """
    if kind in "sra":
        return field(inner, "" if kind == "s" else kind, None) if not width else None
    if inner.op == "const":
        try:
            return terms.const(f"%{width}{kind}" % terms.literal(inner))
        except TypeError:
            return None
    return field(inner, "", terms.const(width + kind))


def _is_sure(given: Term) -> bool:
    """
    Return whether `%` takes a value as one, or a tuple apart, whatever the code under test gives.
    """
    known = given.op in {"const", "list", "set", "tuple", "dict"}
    return known or is_text(given) or terms.called(given) in {"len", "int"}


def without_tail(text: Term, tail: str) -> Term:
    """
    Return a text without what its last piece ends in.
    """
    return joined((*text.args[:-1], terms.const(_said(text.args[-1]).removesuffix(tail))), text.value)


def tightened(term: Term) -> Term:
    """
    Return a text made with `%` as the f-string that says the same of every value that is no tuple.
    """
    return joined(term.args) if term.op == "fstr" and term.value == LOOSE else term


#: Readers by the operator that puts two values together.
SUMS: Final[dict[str, Callable[[Term, Term], Term | None]]] = {
    "Mod": percent,
    "Add": lambda left, right: joined((left, right)) if is_text(left) and is_text(right) else None,
}
