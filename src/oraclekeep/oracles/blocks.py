"""
What a block does whose error or warning is expected, as one term, however its statements are written.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from oraclekeep.oracles import terms
from oraclekeep.oracles.showing import show
from oraclekeep.oracles.spelling import fold
from oraclekeep.oracles.terms import Term

if TYPE_CHECKING:
    from collections.abc import Callable

    from oraclekeep.oracles.checks import Check

#: Functions and special methods that do what an operator does, by the number of what they are given.
_OPERATORS: Final = {
    "add": "Add", "sub": "Sub", "mul": "Mult", "truediv": "Div", "floordiv": "FloorDiv", "mod": "Mod",
    "pow": "Pow", "matmul": "MatMult", "lshift": "LShift", "rshift": "RShift", "and_": "BitAnd",
    "or_": "BitOr", "xor": "BitXor",
}  # fmt: skip


def _get(owner: Term, key: Term) -> Term:
    return fold(Term("index", "", (owner, key)))


def _set(owner: Term, key: Term, value: Term) -> Term:
    return Term("set", show(key), (owner, value))


def _delete(owner: Term, key: Term) -> Term:
    return Term("delete", "", (_get(owner, key),))


def _name(key: Term) -> str | None:
    name = terms.literal(key) if terms.is_literal(key) else None
    return name if isinstance(name, str) and name.isidentifier() else None


def _set_member(owner: Term, key: Term, value: Term) -> Term | None:
    name = _name(key)
    return None if name is None else Term("set", name, (owner, value))


def _get_member(owner: Term, key: Term) -> Term | None:
    name = _name(key)
    return None if name is None else terms.attr(owner, name)


def _delete_member(owner: Term, key: Term) -> Term | None:
    name = _name(key)
    return None if name is None else Term("delete", "", (terms.attr(owner, name),))


#: Functions that do what a statement or an operator does: how many values they take, and what they make.
_FUNCTIONS: Final[dict[str, tuple[int, Callable[..., Term | None]]]] = {
    "setattr": (3, _set_member),
    "getattr": (2, _get_member),
    "delattr": (2, _delete_member),
    "operator.setitem": (3, _set),
    "operator.getitem": (2, _get),
    "operator.delitem": (2, _delete),
}
#: Methods that a statement calls, by the same rule; the object is the first value.
_METHODS: Final[dict[str, tuple[int, Callable[..., Term | None]]]] = {
    "__setitem__": (3, _set),
    "__getitem__": (2, _get),
    "__delitem__": (2, _delete),
    "__setattr__": (3, _set_member),
    "__delattr__": (2, _delete_member),
}


def in_operators(term: Term) -> Term:
    """
    Return what `c.__setitem__(k, v)`, `setattr(c, "x", v)` or `operator.add(a, b)` does as the plain form.
    """
    if term.op != "call" or any(arg.op in {"kw", "star"} for arg in term.args[1:]):
        return term
    name, method = terms.called(term), terms.method(term)
    if method in _METHODS:
        count, make = _METHODS[method]
        given = (term.args[0].args[0], *term.args[1:])
    elif name in _FUNCTIONS:
        (count, make), given = _FUNCTIONS[name], term.args[1:]
    elif name.startswith("operator.") and len(term.args) == 3:
        sign = _OPERATORS.get(name.removeprefix("operator."))
        return fold(Term("bin", sign, term.args[1:])) if sign else term
    else:
        return term
    return (make(*given) if len(given) == count else None) or term


def block_of(trace: list[Term]) -> Term:
    """
    Return what a block does as one term.

    Values that are only written down are no part of it, and assertions are none where it does more.
    """
    done = [in_operators(one) for one in trace if one.op != "asserting" and not terms.is_literal(one)]
    done = done or [_asked(one) for one in trace if one.op == "asserting"] or trace
    return done[0] if len(done) == 1 else Term("block", "", tuple(done))


def _asked(asserting: Term) -> Term:
    """
    Return the call of the code under test that an assertion makes; it is what may raise.
    """
    made = (one for one in terms.walk(asserting) if one.op == "call")
    return next((one for one in made if any(map(_is_product, terms.walk(one.args[0])))), asserting)


def _is_product(term: Term) -> bool:
    return term.op == "name" and term.value.startswith("prod:")


def out_of_block(old: Check, new: Check) -> Check | None:
    """
    Return the old check as if what its block sets up first had stood before the block, as in head.
    """
    for before in old.blocks:
        for after in new.blocks:
            kept = after.args if after.op == "block" else (after,)
            is_end = before.op == "block" and before.args[-len(kept) :] == kept != before.args
            if is_end and _still_done(before.args[: -len(kept)], kept, old.scene, new.scene):
                return replace(
                    old,
                    subject=terms.replace(old.subject, before, after),
                    expected=terms.replace(old.expected, before, after),
                )
    return None


def _still_done(
    left: tuple[Term, ...], kept: tuple[Term, ...], old: tuple[Term, ...], new: tuple[Term, ...]
) -> bool:
    """
    Return whether head does as often, somewhere before, what base did in the block, or uses what that made.
    """
    before, after = (Counter(map(_bare, scene)) for scene in (old, new))
    used = {part for whole in (*kept, *after) for part in terms.walk(whole)}
    return all(before[one] <= after[one] if one in before else one in used for one in left)


def _bare(effect: Term) -> Term:
    return effect.args[0] if effect.op in {"failing", "tolerated"} else effect
