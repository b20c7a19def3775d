"""
Short names for terms that are too large to look into.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from oraclekeep.oracles.terms import Term

_BYTES: Final = 6


def label(op: str, value: str, args: tuple[Term, ...]) -> str:
    """
    Return a short name for a term, and one for the constants in it, the same ones in every run.

    A term may hold one part in many places, and so on inwards: each part is looked at once.
    """
    known: dict[int, tuple[str, int]] = {}
    todo = [*args]
    while todo:
        one = todo[-1]
        waiting = [arg for arg in one.args if id(arg) not in known]
        if waiting:
            todo += waiting
            continue
        todo.pop()
        if id(one) not in known:
            known[id(one)] = _told(one.op, one.value, [known[id(arg)] for arg in one.args])
    name, constants = _told(op, value, [known[id(arg)] for arg in args])
    return f"{name}:{constants:x}"


def _told(op: str, value: str, parts: list[tuple[str, int]]) -> tuple[str, int]:
    """
    Return a term's name, and the sum of its constants' names: it knows how often, and not in what order.
    """
    name = _digest([op, value, *(one for one, _ in parts)])
    own = int(_digest([value]), 16) if op in {"const", "cut"} else 0
    return name, (own + sum(one for _, one in parts)) % (1 << 8 * _BYTES)


def _digest(parts: list[str]) -> str:
    text = "\0".join(parts).encode("utf-8", "surrogatepass")
    return hashlib.blake2b(text, digest_size=_BYTES).hexdigest()
