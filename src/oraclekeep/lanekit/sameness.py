"""
Comparing what functions return, so that nothing passes by saying yes to everything.
"""

from __future__ import annotations

import math
import re
from typing import Any, Final

_PLAIN: Final = frozenset({bool, int, float, complex, str, bytes, bytearray, type(None), range})
_LONGEST: Final = 200
#: Values of several kinds that no honest result equals.
_STRANGERS: Final = (
    object(),
    "\0 nothing equals this \0",
    b"\0 nor this \0",
    0x6F7261636C656B656570,
    -1.5e-301,
)


class Trouble(Exception):  # noqa: N818  # it is not the product's error
    """
    The property can't be judged; the message says why.
    """


def same(first: Any, second: Any, tolerance: float = 0.0) -> bool:
    """
    Return whether two results are equal, all the way down.

    As `==` has it, but NaN equals NaN, floats may differ by ``tolerance`` (relative or absolute), objects
    without an `__eq__` of their own are compared by what they hold, and an object that equals anything at all
    equals nothing.
    """
    try:
        return _same(first, second, tolerance, 0)
    except RecursionError as error:
        raise AssertionError("the results are nested too deep to compare, or hold themselves") from error


def _same(first: Any, second: Any, tolerance: float, depth: int) -> bool:
    if isinstance(first, float) or isinstance(second, float):
        return _close(first, second, tolerance)
    kind = type(first)
    if kind is type(second):
        if kind in (list, tuple):
            return len(first) == len(second) and all(
                _same(one, two, tolerance, depth + 1) for one, two in zip(first, second, strict=True)
            )
        if kind is dict:
            return first.keys() == second.keys() and all(
                _same(value, second[key], tolerance, depth + 1) for key, value in first.items()
            )
        if kind not in _PLAIN and getattr(kind, "__eq__", None) is object.__eq__:
            return first is second or _same_state(first, second, tolerance, depth)
    return not yes_to_all(first) and not yes_to_all(second) and _equal(first, second)


def _close(first: Any, second: Any, tolerance: float) -> bool:
    if yes_to_all(first) or yes_to_all(second):
        return False
    numbers = isinstance(first, (int, float)) and isinstance(second, (int, float))
    if numbers and first != first and second != second:  # noqa: PLR0124  # NaN
        return True
    if numbers and tolerance:
        return math.isclose(first, second, rel_tol=tolerance, abs_tol=tolerance)
    return _equal(first, second)


def _equal(first: Any, second: Any) -> bool:
    """
    Turn what `==` says into one bool, also for arrays and tables.
    """
    if getattr(first, "shape", None) != getattr(second, "shape", None):
        return False
    if hasattr(first, "equals") and type(first) is type(second):  # a table's NaN equals its NaN
        return bool(first.equals(second))
    answer = first == second
    while hasattr(answer, "all") and not isinstance(answer, bool):
        reduced = answer.all()
        if type(reduced) is type(answer):
            return bool(reduced)
        answer = reduced
    return bool(answer)


def _same_state(first: Any, second: Any, tolerance: float, depth: int) -> bool:
    if depth > 50:
        raise RecursionError
    held = [_state(value) for value in (first, second)]
    if held[0] or held[1]:
        return _same(held[0], held[1], tolerance, depth + 1)
    return bool(_without_addresses(repr(first)) == _without_addresses(repr(second)))


def _state(value: Any) -> dict[str, Any]:
    names = [name for cls in type(value).__mro__ for name in _slots(cls)]
    return {
        **{name: getattr(value, name) for name in names if hasattr(value, name)},
        **getattr(value, "__dict__", {}),
    }


def _slots(cls: type) -> list[str]:
    slots = cls.__dict__.get("__slots__", ())
    names = [slots] if isinstance(slots, str) else list(slots)
    private = f"_{cls.__name__.lstrip('_')}"
    return [
        private + name if name.startswith("__") else name
        for name in names
        if name not in ("__dict__", "__weakref__")
    ]


def _without_addresses(text: str) -> str:
    return re.sub(r" at 0x[0-9a-fA-F]+", "", text)


def yes_to_all(value: Any) -> bool:
    """
    Return whether the value claims to equal what it can't equal.
    """
    if type(value) in _PLAIN or type(value) in (list, tuple, dict, set, frozenset):
        return False
    return any(_claims(value, stranger) for stranger in _STRANGERS)


def _claims(value: Any, stranger: object) -> bool:
    try:
        answer = value == stranger
        return not hasattr(answer, "all") and bool(answer)  # an array answers for each of its elements
    except Exception:  # noqa: BLE001  # an `__eq__` that refuses other types says no
        return False


def shown(value: Any, longest: int = _LONGEST) -> str:
    """
    Return a value's repr, shortened; a repr that raises is named instead.
    """
    try:
        text = repr(value)
        text = str.__str__(text)
    except BaseException as error:  # noqa: BLE001  # whatever the product's repr does, the report is written
        return f"<{type(value).__name__} whose repr raises {type(error).__name__}>"
    return text if len(text) <= longest else f"{text[: longest - 20]}… ({len(text)} characters)"


def said(error: BaseException) -> str:
    """
    Return an exception's type and message, shortened; a message that raises is left out.
    """
    name = type(error).__name__
    try:
        text = str(error)
    except BaseException:  # noqa: BLE001  # as above
        return name
    return f"{name}: {text if len(text) <= 300 else text[:280] + '…'}" if text else name
