"""
In which order Python looks through the bases of a class, and which of them is unittest's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeVar

if TYPE_CHECKING:
    from collections.abc import Sequence

Base = TypeVar("Base")
#: Bases outside the suite that make a class a unittest case.
_CASES: Final = (
    "TestCase",
    "IsolatedAsyncioTestCase",
    "SimpleTestCase",
    "TransactionTestCase",
    "LiveServerTestCase",
    "AsyncTestCase",
)


def is_case(base: str) -> bool:
    """
    Tell whether a dotted name outside the suite is a unittest case.
    """
    return base.rpartition(".")[2] in _CASES or base.endswith("TestCase")


def brings(base: str, name: str) -> bool:
    """
    Tell whether a base outside the suite brings an attribute, so that later bases' own is never asked.
    """
    if not is_case(base):
        return False
    import unittest  # noqa: PLC0415  # start-up counts

    return hasattr(unittest.TestCase, name)


def linearised(bases: Sequence[Base]) -> tuple[Base, ...]:
    """
    Return all bases in the order in which Python asks them (C3); an order that it refuses goes depth first.

    A base is a name, or a class of the suite with its own ``line`` and its ``node``.
    """
    lines = [*([base, *getattr(base, "line", ())] for base in bases), [*bases]]
    found: list[Base] = []
    while lines := [line for line in lines if line]:
        later = {_identity(one) for line in lines for one in line[1:]}
        head = next((line[0] for line in lines if _identity(line[0]) not in later), lines[0][0])
        found.append(head)
        lines = [[one for one in line if _identity(one) != _identity(head)] for line in lines]
    return tuple(found)


def _identity(base: object) -> object:
    return getattr(base, "node", base)
