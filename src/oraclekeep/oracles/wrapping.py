"""
Functions of the suite that the product's decorators wrap: what a call of them does is the product's doing.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from oraclekeep.oracles import terms
from oraclekeep.oracles.evaluate import as_term, evaluate
from oraclekeep.oracles.terms import Term
from oraclekeep.oracles.values import Scope

if TYPE_CHECKING:
    from oraclekeep.oracles.values import Function, Run


def by_product(run: Run, func: Function) -> Term | None:
    """
    Return what decorators of the product make of a function; nothing where it has none.
    """
    found = None
    scope = func.scope or Scope(func.module)
    for one in reversed(getattr(func.node, "decorator_list", [])):
        if _is_product(run, one, scope):
            found = terms.call(as_term(evaluate(run, one, scope)), (found or as_term(func),))
    return found


def _is_product(run: Run, decorator: ast.expr, scope: Scope) -> bool:
    root = decorator
    while isinstance(root, (ast.Attribute, ast.Call)):
        root = root.func if isinstance(root, ast.Call) else root.value
    value = evaluate(run, root, scope) if isinstance(root, ast.Name) else None
    return isinstance(value, Term) and any(
        one.op == "name" and one.value.startswith(("prod:", "pmod:")) for one in terms.walk(value)
    )
