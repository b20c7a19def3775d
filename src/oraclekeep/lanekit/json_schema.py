"""
The part of JSON Schema that `matches_schema` understands; an unknown keyword is refused, never ignored.
"""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Any, Final

from .sameness import Trouble, same, shown

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


_TYPES: Final[dict[str, Callable[[Any], bool]]] = {
    "null": lambda value: value is None,
    "boolean": lambda value: isinstance(value, bool),
    "integer": lambda value: _is_number(value) and (isinstance(value, int) or value.is_integer()),
    "number": _is_number,
    "string": lambda value: isinstance(value, str),
    "array": lambda value: isinstance(value, (list, tuple)),
    "object": lambda value: isinstance(value, dict),
}


def problems(value: Any, schema: Any, where: str = "the result") -> Iterator[str]:
    """
    Yield what a value has against a schema, one sentence each.

    Raises `Trouble` for a schema that can't be understood.
    """
    if isinstance(schema, bool):
        if not schema:
            yield f"{where} is {shown(value)}, and nothing is allowed there"
        return
    if not isinstance(schema, dict):
        raise Trouble(f"matches_schema: {shown(schema)} is not a schema; write a mapping")
    for keyword, wanted in schema.items():
        if keyword not in KEYWORDS:
            raise Trouble(
                f"matches_schema: unknown keyword {keyword!r}; known are {', '.join(sorted(KEYWORDS))}"
            )
        yield from KEYWORDS[keyword](value, wanted, schema, where)


def _type(value: Any, wanted: Any, _: dict[str, Any], where: str) -> Iterator[str]:
    names = [wanted] if isinstance(wanted, str) else wanted
    if unknown := [name for name in names if name not in _TYPES]:
        raise Trouble(f"matches_schema: unknown type {unknown[0]!r}; known are {', '.join(_TYPES)}")
    if not any(_TYPES[name](value) for name in names):
        yield f"{where} is {shown(value)}, not {' or '.join(names)}"


def _const(value: Any, wanted: Any, _: dict[str, Any], where: str) -> Iterator[str]:
    if not same(value, wanted):
        yield f"{where} is {shown(value)}, not {shown(wanted)}"


def _enum(value: Any, wanted: Any, _: dict[str, Any], where: str) -> Iterator[str]:
    if not any(same(value, one) for one in wanted):
        yield f"{where} is {shown(value)}, not one of {shown(wanted)}"


def _properties(value: Any, wanted: Any, _: dict[str, Any], where: str) -> Iterator[str]:
    if isinstance(value, dict):
        for name, schema in wanted.items():
            if name in value:
                yield from problems(value[name], schema, f"{where}[{name!r}]")


def _required(value: Any, wanted: Any, _: dict[str, Any], where: str) -> Iterator[str]:
    if isinstance(value, dict):
        yield from (f"{where} has no {name!r}" for name in wanted if name not in value)


def _additional(value: Any, wanted: Any, schema: dict[str, Any], where: str) -> Iterator[str]:
    if isinstance(value, dict):
        for name in value.keys() - schema.get("properties", {}).keys():
            yield from problems(value[name], wanted, f"{where}[{name!r}]")


def _items(value: Any, wanted: Any, _: dict[str, Any], where: str) -> Iterator[str]:
    if isinstance(value, (list, tuple)):
        for index, item in enumerate(value):
            yield from problems(item, wanted, f"{where}[{index}]")


def _unique(value: Any, wanted: Any, _: dict[str, Any], where: str) -> Iterator[str]:
    if wanted and isinstance(value, (list, tuple)):
        twice = [
            item for index, item in enumerate(value) if any(same(item, other) for other in value[:index])
        ]
        if twice:
            yield f"{where} holds {shown(twice[0])} twice"


def _size(kinds: Any, at_least: bool, what: str) -> Callable[..., Iterator[str]]:  # noqa: FBT001  # two calls below
    def check(value: Any, wanted: Any, _: dict[str, Any], where: str) -> Iterator[str]:
        size = len(value) if isinstance(value, kinds) else wanted
        if size < wanted if at_least else size > wanted:
            yield f"{where} has {size} {what}, {'at least' if at_least else 'at most'} {wanted} are asked for"

    return check


def _bound(holds: Callable[[Any, Any], bool], words: str) -> Callable[..., Iterator[str]]:
    def check(value: Any, wanted: Any, _: dict[str, Any], where: str) -> Iterator[str]:
        if _is_number(value) and not holds(value, wanted):
            yield f"{where} is {shown(value)}, not {words} {wanted}"

    return check


def _multiple(value: Any, wanted: Any, _: dict[str, Any], where: str) -> Iterator[str]:
    if _is_number(value) and not math.isclose(value / wanted, round(value / wanted), abs_tol=1e-12):
        yield f"{where} is {shown(value)}, not a multiple of {wanted}"


def _pattern(value: Any, wanted: Any, _: dict[str, Any], where: str) -> Iterator[str]:
    try:
        if isinstance(value, str) and not re.search(wanted, value):
            yield f"{where} is {shown(value)}, which does not match {wanted!r}"
    except re.error as error:
        raise Trouble(f"matches_schema: {wanted!r} is not a pattern: {error}") from error


def _all_of(value: Any, wanted: Any, _: dict[str, Any], where: str) -> Iterator[str]:
    for schema in wanted:
        yield from problems(value, schema, where)


def _any_of(value: Any, wanted: Any, _: dict[str, Any], where: str) -> Iterator[str]:
    if all([*problems(value, schema, where)] for schema in wanted):
        yield f"{where} is {shown(value)}, which fits none of {len(wanted)} schemas"


def _one_of(value: Any, wanted: Any, _: dict[str, Any], where: str) -> Iterator[str]:
    fits = sum(not [*problems(value, schema, where)] for schema in wanted)
    if fits != 1:
        yield f"{where} is {shown(value)}, which fits {fits} of {len(wanted)} schemas and must fit one"


def _not(value: Any, wanted: Any, _: dict[str, Any], where: str) -> Iterator[str]:
    if not [*problems(value, wanted, where)]:
        yield f"{where} is {shown(value)}, which a schema under `not` describes"


def _nothing(*_: Any) -> Iterator[str]:
    yield from ()


#: Keyword -> what it says of a value.
KEYWORDS: Final[dict[str, Callable[..., Iterator[str]]]] = {
    "type": _type, "const": _const, "enum": _enum,
    "properties": _properties, "required": _required, "additionalProperties": _additional,
    "minProperties": _size((dict,), at_least=True, what="keys"),
    "maxProperties": _size((dict,), at_least=False, what="keys"),
    "items": _items, "uniqueItems": _unique,
    "minItems": _size((list, tuple), at_least=True, what="items"),
    "maxItems": _size((list, tuple), at_least=False, what="items"),
    "minLength": _size((str,), at_least=True, what="characters"),
    "maxLength": _size((str,), at_least=False, what="characters"),
    "pattern": _pattern,
    "minimum": _bound(lambda value, bound: value >= bound, "at least"),
    "maximum": _bound(lambda value, bound: value <= bound, "at most"),
    "exclusiveMinimum": _bound(lambda value, bound: value > bound, "more than"),
    "exclusiveMaximum": _bound(lambda value, bound: value < bound, "less than"),
    "multipleOf": _multiple,
    "allOf": _all_of, "anyOf": _any_of, "oneOf": _one_of, "not": _not,
    "$schema": _nothing, "$id": _nothing, "$comment": _nothing, "title": _nothing, "description": _nothing,
    "default": _nothing, "examples": _nothing,
}  # fmt: skip
