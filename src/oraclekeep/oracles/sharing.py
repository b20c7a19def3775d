"""
A moment of reading from which several cases go on, each by itself.
"""

from __future__ import annotations

import copy
from dataclasses import fields, replace
from typing import Any

from oraclekeep.oracles.terms import Term
from oraclekeep.oracles.values import (
    Args,
    Bag,
    Function,
    Instance,
    Late,
    Pending,
    Run,
    Scope,
    Space,
    Value,
)


class _Bound(Exception):  # noqa: N818  # a signal
    """
    Something holds on to this very moment, so that no other can be made of it.
    """


def again(run: Run) -> Run | None:
    """
    Return this moment for another case to go on from, or None where what holds it could not be copied.

    What can be changed is copied with all that it leads to; what two values share stays shared.
    """
    if not all(isinstance(one, Late) for one in run.teardown):
        return None
    fresh: dict[str, Any] = {
        one.name: copy.copy(value)
        for one in fields(run)
        if isinstance(value := getattr(run, one.name), (list, dict, set))
    }
    copies = _Copies()
    try:
        fresh["fixtures"] = copies.all_of(run.fixtures)
        instance = copies.of(run.instance) if run.instance is not None else None
    except _Bound:
        return None
    return replace(run, instance=instance, **fresh)


class _Copies:
    """
    Copies of values; each value is copied once.
    """

    def __init__(self) -> None:
        self._made: dict[int, Any] = {}

    def all_of(self, values: dict[str, Value]) -> dict[str, Value]:
        return {name: self.of(value) for name, value in values.items()}

    def of(self, value: Any) -> Any:
        """
        Return the copy of a value, or the value itself where nothing of it can be changed.

        Raises `_Bound` for a function that a decorator of the suite stands before: it closes over the run.
        """
        if value is None or isinstance(value, (Term, Space)):
            return value
        if id(value) not in self._made:
            made = self._made[id(value)] = copy.copy(value)  # before its parts, which may lead back to it
            self._fill(made)
        return self._made[id(value)]

    def _fill(self, made: object) -> None:
        match made:
            case Instance():
                made.attrs = self.all_of(made.attrs)
            case Function(wrapped_by=None):
                made.scope, made.owner = self.of(made.scope), self.of(made.owner)
            case Scope():
                made.names, made.parent = self.all_of(made.names), self.of(made.parent)
                made.stamps = dict(made.stamps)
                made.promised = {name: [*checks] for name, checks in made.promised.items()}
            case Args():
                made.positional = [self.of(one) for one in made.positional]
                made.named, made.moments = self.all_of(made.named), dict(made.moments)
                made.handed = set(made.handed)
            case Pending():
                made.function, made.args = self.of(made.function), self.of(made.args)
            case Bag():
                made.items = self.all_of(made.items)
            case _:
                raise _Bound
