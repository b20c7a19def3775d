"""
A topic: one value that a check may be about, with what every comparison asks of it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final

from oraclekeep.oracles import terms

if TYPE_CHECKING:
    from oraclekeep.oracles.terms import Term


@dataclass(frozen=True)
class Topic:
    """
    A term, and what is found out about it once.
    """

    term: Term

    @cached_property
    def path(self) -> str:
        return path_of(self.term)

    @cached_property
    def is_trivial(self) -> bool:
        """
        Return whether the value says nothing about the code under test.
        """
        return self.term.op in _TRIVIAL or terms.is_literal(self.term)

    @cached_property
    def is_named(self) -> bool:
        return any(one.op in {"name", "fixture", "mock", "attr"} for one in terms.walk(self.term))

    @cached_property
    def _parts(self) -> frozenset[Term]:
        return frozenset(terms.walk(self.term))

    @cached_property
    def has_keywords(self) -> bool:
        return any(one.op == "kw" for one in self._parts)

    def holds(self, other: Topic) -> bool:
        """
        Return whether the other value is a part of this one.
        """
        return self.term.size > other.term.size and other.term in self._parts


_TRIVIAL: Final = frozenset({"const", "param", "drawn", "each", "none", "unknown"})


def path_of(term: Term) -> str:
    """
    Return what is called, without the arguments: `Book().transfer()`.
    """
    match term.op:
        case "call":
            return f"{path_of(term.args[0])}()"
        case "attr":
            return f"{path_of(term.args[0])}.{term.value}"
        case "index":
            return f"{path_of(term.args[0])}[]"
        case "name" | "fixture" | "mock" | "local" | "matcher":
            return term.value
        case "raised" | "excinfo" | "block" | "each" | "entered":
            return f"{term.op}({','.join(path_of(arg) for arg in term.args)})"
        case "set" if term.value:
            return f"{path_of(term.args[0])}.{term.value}="
        case "grow" | "delete":
            return f"{term.op}({path_of(term.args[0])})"
        case "comp":
            return f"comp({','.join(path_of(arg) for arg in term.args)})"
        case "fstr":
            return f"text{term.value}({','.join(path_of(arg) for arg in term.args if arg.op != 'const')})"
        case "format":
            return f"{path_of(term.args[0])}!{term.value}"
        case "bin" | "cmp":
            return f"({path_of(term.args[0])}{term.value}{path_of(term.args[1])})"
        case _:
            return term.op


def root_of(term: Term) -> str:
    """
    Return what is called last on the way to a value: `Book().transfer()` of `Book().transfer().memo`.
    """
    path = path_of(term)
    return path[: path.rfind("()") + 2] if "()" in path else path
