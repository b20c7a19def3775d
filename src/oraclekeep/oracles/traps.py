"""
What a test plants that fails as soon as it is called: a function that must not be reached.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from oraclekeep.oracles import terms
from oraclekeep.oracles.parsing import fails
from oraclekeep.oracles.terms import Term
from oraclekeep.oracles.values import Function

if TYPE_CHECKING:
    from oraclekeep.oracles.checks import Facts
    from oraclekeep.oracles.values import Args, Value

_PLANTING: Final = frozenset({"setattr", "patch", "object"})
_FAILURE: Final = "AssertionError"


def trap(term: Term, short: str, args: Args) -> Term | None:
    """
    Return the effect of a call that replaces something by what fails when it is called; None for any other.
    """
    if short not in _PLANTING or not args.positional:
        return None
    given = (*args.positional[1:], args.named.get("new"), args.named.get("side_effect"))
    if not any(one is not None and _fails(one) for one in given):
        return None
    said = [terms.literal(one) for one in term.args[1:3] if one.op == "const" and terms.is_literal(one)]
    names = [one.rpartition(".")[2] for one in said if isinstance(one, str)]
    return Term("trap", names[-1]) if names else None


def traps_of(facts: Facts) -> set[str]:
    """
    Return the names under which a test has planted what must not be called.
    """
    found = {effect.value for effect, _ in facts.effects if effect.op == "trap"}
    for effect, _ in facts.effects:
        if effect.op == "set" and effect.value == "side_effect" and _is_failure(effect.args[1]):
            found.add(effect.args[0].value)
    return found


def _fails(value: Value) -> bool:
    if isinstance(value, Term):
        return _is_failure(value)
    if not isinstance(value, Function):
        return False
    if isinstance(value.node, ast.Lambda):
        return fails([ast.Expr(value.node.body)])
    body = [one for one in value.node.body if not isinstance(one, ast.Expr) or fails([one])]
    return len(body) == 1 and fails(body)


def _is_failure(term: Term) -> bool:
    return _FAILURE in (term.value if term.op == "name" else "", terms.called(term))
