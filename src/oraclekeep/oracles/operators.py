"""
Operators, subscripts and texts; constant arithmetic is done.
"""

from __future__ import annotations

import ast
import builtins
import itertools
from typing import TYPE_CHECKING, Final

from oraclekeep.oracles import terms
from oraclekeep.oracles.conditions import decided
from oraclekeep.oracles.decimals import exact
from oraclekeep.oracles.evaluate import as_term, evaluate, reads, term_of
from oraclekeep.oracles.formatting import field, joined
from oraclekeep.oracles.spelling import fold
from oraclekeep.oracles.terms import Term
from oraclekeep.oracles.values import Bag

if TYPE_CHECKING:
    from oraclekeep.oracles.values import Run, Scope, Value


_ROWS: Final = frozenset({"list", "tuple"})
#: A list that is multiplied to more than this is not written out.
_MAX_ROWS: Final = 64


@reads(ast.BinOp)
def _binary(run: Run, node: ast.BinOp, scope: Scope) -> Value:
    left, right = term_of(run, node.left, scope), term_of(run, node.right, scope)
    if isinstance(node.op, ast.Add) and left.op == right.op and left.op in {"list", "tuple"}:
        return Term(left.op, "", (*left.args, *right.args))
    if isinstance(node.op, ast.Mult) and (left if left.op in _ROWS else right).op in _ROWS:
        row, times = (left, right) if left.op in _ROWS else (right, left)
        count = terms.literal(times) if times.op == "const" else None
        if isinstance(count, int) and 0 <= count * len(row.args) <= _MAX_ROWS:
            return Term(row.op, "", row.args * count)
    return exact(fold(Term("bin", type(node.op).__name__, (left, right))))


@reads(ast.UnaryOp)
def _unary(run: Run, node: ast.UnaryOp, scope: Scope) -> Value:
    return exact(fold(Term("unary", type(node.op).__name__, (term_of(run, node.operand, scope),))))


@reads(ast.BoolOp)
def _boolean(run: Run, node: ast.BoolOp, scope: Scope) -> Value:
    return _short(type(node.op).__name__, [term_of(run, one, scope) for one in node.values])


def _short(op: str, parts: list[Term]) -> Term:
    """
    Leave out what a literal decides: `None or x` is `x`, and nothing after `True or` is asked.
    """
    kept: list[Term] = []
    for index, one in enumerate(parts):
        decides = terms.is_literal(one) and bool(terms.literal(one)) == (op == "Or")
        if decides or index == len(parts) - 1 or not terms.is_literal(one):
            kept.append(one)
        if decides:
            break
    return kept[0] if len(kept) == 1 else Term("bool", op, tuple(kept))


@reads(ast.Compare)
def _compare(run: Run, node: ast.Compare, scope: Scope) -> Value:
    sides = [term_of(run, one, scope) for one in (node.left, *node.comparators)]
    links = tuple(
        _settled(fold(Term("cmp", type(op).__name__, pair)))
        for op, pair in zip(node.ops, itertools.pairwise(sides), strict=True)
    )
    return _short("And", list(links))


#: Operators that ask whether two values are one; whether they say so.
_SAME_AS: Final = {"Is": True, "Eq": True, "IsNot": False, "NotEq": False}


def _settled(link: Term) -> Term:
    """
    Answer whether an exception, a builtin or a display is None.
    """
    if (
        link.op == "cmp"
        and link.value in _SAME_AS
        and terms.NONE in link.args
        and any(map(_is_there, link.args))
    ):
        return terms.const(not _SAME_AS[link.value])
    return link


def _is_there(term: Term) -> bool:
    label = term.value.partition("@")[0]
    known = label.endswith(("Error", "Exception", "Warning")) or hasattr(builtins, label)
    return (term.op == "name" and known) or term.op in {"list", "tuple", "dict", "set", "lambda", "fstr"}


@reads(ast.IfExp)
def _conditional(run: Run, node: ast.IfExp, scope: Scope) -> Value:
    condition = term_of(run, node.test, scope)
    if (answer := decided(run, condition)) is not None:
        return evaluate(run, node.body if answer else node.orelse, scope)
    return Term("ifexp", "", (condition, term_of(run, node.body, scope), term_of(run, node.orelse, scope)))


@reads(ast.Subscript)
def _subscript(run: Run, node: ast.Subscript, scope: Scope) -> Value:
    value = evaluate(run, node.value, scope)
    base, key = as_term(value), term_of(run, node.slice, scope)
    if (
        isinstance(value, Bag)
        and key.op == "const"
        and (held := value.items.get(str(terms.literal(key)))) is not None
    ):
        return held
    if (
        base.op in {"list", "tuple"}
        and not any(one.op == "star" for one in base.args)
        and key.op == "const"
        and key.value.lstrip("-").isdigit()
        and -len(base.args) <= int(key.value) < len(base.args)
    ):
        return base.args[int(key.value)]
    if base.op == "dict":
        return next(
            (pair.args[1] for pair in base.args if pair.args[0] == key), Term("index", "", (base, key))
        )
    return Term("index", "", (base, key))


@reads(ast.Slice)
def _slice(run: Run, node: ast.Slice, scope: Scope) -> Value:
    return Term(
        "slice",
        "",
        tuple(
            terms.NONE if one is None else term_of(run, one, scope)
            for one in (node.lower, node.upper, node.step)
        ),
    )


@reads(ast.JoinedStr)
def _joined(run: Run, node: ast.JoinedStr, scope: Scope) -> Value:
    return joined(term_of(run, one, scope) for one in node.values)


@reads(ast.FormattedValue)
def _formatted(run: Run, node: ast.FormattedValue, scope: Scope) -> Value:
    inner = term_of(run, node.value, scope)
    spec = term_of(run, node.format_spec, scope) if node.format_spec is not None else None
    conversion = chr(node.conversion) if node.conversion != -1 else ""
    return field(inner, "" if conversion == "s" and spec is None else conversion, spec)


@reads(ast.Starred)
def _starred(run: Run, node: ast.Starred, scope: Scope) -> Value:
    if isinstance(node.value, ast.Name):
        run.checks += scope.keep(node.value.id)
    return Term("star", "", (term_of(run, node.value, scope),))
