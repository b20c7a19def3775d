"""
Expressions of a test become values: terms, with the suite's own helpers followed and locals written out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from oraclekeep.oracles import terms
from oraclekeep.oracles.terms import Term
from oraclekeep.oracles.values import Bag, Function, Instance, Pending, Space

if TYPE_CHECKING:
    import ast
    from collections.abc import Callable

    from oraclekeep.oracles.values import Run, Scope, Value


#: Readers of expressions by node type; the modules beside this one register theirs.
READERS: Final[dict[type[ast.expr], Callable[..., Value]]] = {}


def reads(*kinds: type[ast.expr]) -> Callable[[Callable[..., Value]], Callable[..., Value]]:
    """
    Register a reader for node types; a type can be taken once.
    """

    def register(reader: Callable[..., Value]) -> Callable[..., Value]:
        for kind in kinds:
            if kind in READERS:
                raise ValueError(f"{kind.__name__} is read twice")
            READERS[kind] = reader
        return reader

    return register


def evaluate(run: Run, node: ast.expr, scope: Scope) -> Value:
    """
    Return what an expression stands for.
    """
    reader = READERS.get(type(node))
    return reader(run, node, scope) if reader is not None else Term("opaque", scope.module.digest(node))


def term_of(run: Run, node: ast.expr, scope: Scope) -> Term:
    return as_term(evaluate(run, node, scope))


def as_term(value: Value) -> Term:
    match value:
        case Term():
            return value
        case Function():
            return Term("lambda", value.module.digest(value.node))
        case Instance():
            return value.term
        case Space():
            return terms.name(f"suite:{value.module.path}")
        case Pending():
            return terms.call(as_term(value.function), tuple(as_term(one) for one in value.args.positional))
        case Bag():
            return Term(
                "dict",
                "",
                tuple(
                    sorted(
                        Term("pair", "", (terms.const(key), as_term(one))) for key, one in value.items.items()
                    )
                ),
            )
