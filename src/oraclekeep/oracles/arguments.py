"""
The arguments of a call, with what is known of their age.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from oraclekeep.oracles import terms
from oraclekeep.oracles.evaluate import as_term, evaluate
from oraclekeep.oracles.terms import Term
from oraclekeep.oracles.values import Args, Bag

if TYPE_CHECKING:
    from oraclekeep.oracles.values import Run, Scope, Value


def arguments(run: Run, node: ast.Call, scope: Scope) -> Args:
    """
    Evaluate the arguments of a call from left to right.
    """
    args = Args()
    for one in node.args:
        if isinstance(one, ast.Starred):
            _spread(args, evaluate(run, one.value, scope))
        else:
            if isinstance(one, ast.Name):
                run.checks += scope.keep(one.id)
            _date(args, len(args.positional), one, scope)
            args.positional.append(evaluate(run, one, scope))
    for key in node.keywords:
        value = evaluate(run, key.value, scope)
        if key.arg is not None:
            _date(args, key.arg, key.value, scope)
            args.named[key.arg] = value
        elif isinstance(value, Bag):
            args.named |= value.items
        elif (
            isinstance(value, Term)
            and value.op == "dict"
            and all(pair.op == "pair" and pair.args[0].op == "const" for pair in value.args)
        ):
            args.named |= {str(terms.literal(pair.args[0])): pair.args[1] for pair in value.args}
        else:
            args.named["**"] = value
            args.unknown = True
    return args


def _date(args: Args, place: int | str, node: ast.expr, scope: Scope) -> None:
    """
    A local that is handed over keeps its age: a helper may compare what was before with what is now.
    """
    if isinstance(node, ast.Name):
        if (moment := scope.stamp(node.id)) is not None:
            args.moments[place] = moment
        if node.id in scope.passed:
            args.handed.add(place)


def _spread(args: Args, value: Value) -> None:
    if isinstance(value, Term) and value.op in {"list", "tuple"}:
        args.positional += value.args
    elif isinstance(value, Bag):
        args.positional += value.items.values()
    else:
        args.positional.append(Term("star", "", (as_term(value),)))
        args.unknown = True
