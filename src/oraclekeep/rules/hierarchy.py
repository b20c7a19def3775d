"""
Which of two exception or value classes is the wider one.
"""

from __future__ import annotations

import ast
import builtins
from typing import TYPE_CHECKING, Final

from oraclekeep.oracles.parsing import last_name

if TYPE_CHECKING:
    from oraclekeep.oracles.checks import Facts
    from oraclekeep.oracles.module import Module
    from oraclekeep.oracles.source import Sources
    from oraclekeep.oracles.terms import Term

_WIDEST: Final = frozenset({"Exception", "BaseException", "Warning", "object"})


class Classes:
    """
    Compares class terms through the production code that defines them.
    """

    def __init__(self, old: Sources, new: Sources, facts: list[Facts]) -> None:
        self._sides = (old, new)
        self._origins: dict[str, str] = {}
        for one in facts:
            for use in one.uses:
                dotted, _, member = use.partition(":")
                self._origins.setdefault(member, dotted)

    def compare(self, old: Term, new: Term) -> str:
        """
        Return `same`, `wider`, `narrower` or `unrelated` for the new class (or tuple of classes).
        """
        mine, theirs = _names(old), _names(new)
        if mine == theirs:
            return "same"
        covered = all(any(self._is_a(one, other) for other in theirs) for one in mine)
        covering = all(any(self._is_a(other, one) for one in mine) for other in theirs)
        if covered and not covering:
            return "wider"
        if covering and not covered:
            return "narrower"
        if covered and covering:
            return "same"
        return "wider" if theirs & _WIDEST and not mine & _WIDEST else "unrelated"

    def _is_a(self, name: str, wanted: str) -> bool:
        return wanted in self.ancestors(name) or (wanted in _WIDEST and name not in _WIDEST)

    def ancestors(self, name: str) -> set[str]:
        """
        Return the class's own name and those of its bases, as far as they can be followed.
        """
        found = {name}
        short = name.rpartition(":")[2].rpartition(".")[2]
        kind = getattr(builtins, short, None)
        if isinstance(kind, type) and ":" not in name:
            return found | {one.__name__ for one in kind.__mro__}
        origin = self._origins.get(short)
        for side in self._sides if origin is not None else ():
            place = side.defines(origin or "", short)
            module = side.module(place[0]) if place is not None else None
            if module is not None and place is not None:
                found |= self._bases(side, module, place[1], 0)
        return found

    def _bases(self, side: Sources, module: Module, name: str, depth: int) -> set[str]:
        node = module.defs.get(name, [None])[-1]
        if not isinstance(node, ast.ClassDef) or depth > 10:
            return set()
        found: set[str] = set()
        for base in node.bases:
            short = last_name(base)
            kind = getattr(builtins, short, None)
            if isinstance(kind, type):
                found |= {one.__name__ for one in kind.__mro__}
            elif short in module.defs:
                found |= {f"prod:{short}", *self._bases(side, module, short, depth + 1)}
            elif short in module.imports:
                found.add(f"prod:{short}")
                one = module.imports[short]
                place = side.defines(one.module, one.member)
                inner = side.module(place[0]) if place is not None else None
                if inner is not None and place is not None:
                    found |= self._bases(side, inner, place[1], depth + 1)
        return found


def _names(term: Term) -> frozenset[str]:
    return frozenset(one.value for one in (term.args if term.op in {"tuple", "list"} else (term,)))
