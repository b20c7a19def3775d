"""
What several built-in checks do: read a sample, compare, import by name.
"""

from __future__ import annotations

import builtins
import importlib
from typing import TYPE_CHECKING, Any

from .sameness import Trouble, said, same, shown, yes_to_all

if TYPE_CHECKING:
    from collections.abc import Iterator


def agree(found: Any, wanted: Any, tolerance: float, before: str, after: str = "") -> None:
    """
    Raise `AssertionError` unless the two are the same; it says what was found between the given words.
    """
    if not same(found, wanted, tolerance):
        liar = next((value for value in (found, wanted) if yes_to_all(value)), None)
        name = type(liar).__name__
        hint = "" if liar is None else f" (a {name} that claims to equal everything equals nothing here)"
        raise AssertionError(f"{before} {shown(found)}{after}{hint}")


def bounds(check: str, sample: Any) -> tuple[Any, Any, Any]:
    if not isinstance(sample, dict) or not {"lo", "hi", "x"} <= sample.keys():
        raise Trouble(f"{check}: the sample {shown(sample)} is not a mapping with lo, hi and x")
    values = [sample[name] for name in ("lo", "hi", "x")]
    if all(isinstance(value, str) for value in values):  # a CSV fixture holds texts
        values = [number(value) for value in values]
    return values[0], values[1], values[2]


def number(text: str) -> Any:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def in_order(lo: Any, hi: Any, whose: str) -> None:
    if not at_most(lo, hi):
        raise AssertionError(f"{whose} lo {shown(lo)} is not at most hi {shown(hi)}")


def at_most(lower: Any, upper: Any) -> bool:
    """
    Is one value at most the other?  A value that says yes to every comparison is at most nothing.
    """
    if lower > upper or yes_to_all(lower) or yes_to_all(upper):
        return False
    return bool(lower <= upper)


def type_name(value: Any) -> str:
    kind = type(value)
    return kind.__qualname__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__qualname__}"


def length_of(check: str, sample: Any) -> int:
    try:
        return len(sample)
    except TypeError as error:
        raise Trouble(f"{check}: the sample {shown(sample)} has no length") from error


def elements(check: str, value: Any) -> Iterator[Any]:
    try:
        yield from value.items() if isinstance(value, dict) else value
    except TypeError as error:
        raise Trouble(f"{check}: {shown(value)} has no elements") from error


def arguments(check: str, sample: Any, count: int) -> list[Any]:
    values = list(sample.values()) if isinstance(sample, dict) else sample
    if not isinstance(values, list) or len(values) != count:
        raise Trouble(f"{check}: the sample {shown(sample)} is not a list of {count} arguments")
    return values


def named(check: str, name: Any) -> Any:
    """
    Import `package.module.name` (a colon may stand before the name).
    """
    module, _, attribute = str(name).replace(":", ".").rpartition(".")
    try:
        return getattr(importlib.import_module(module), attribute)
    except (ImportError, AttributeError, ValueError) as error:
        raise Trouble(f"{check}: {name!r} can't be imported: {said(error)}") from error


def exception_type(check: str, name: Any) -> type[BaseException]:
    found = getattr(builtins, name, None) if "." not in str(name) else named(check, name)
    if not (isinstance(found, type) and issubclass(found, BaseException)):
        raise Trouble(f"{check}: {name!r} is not an exception; write a builtin's name or package.module.Name")
    return found


def answer_of(fn: Any, sample: Any) -> tuple[str, Any]:
    try:
        return "returned", fn(sample)
    except Trouble:
        raise
    except Exception as error:  # noqa: BLE001  # two functions may agree in what they refuse
        return f"raised {type(error).__name__}", None


def told(answer: tuple[str, Any]) -> str:
    return f"{answer[0]} {shown(answer[1])}" if answer[0] == "returned" else answer[0]
