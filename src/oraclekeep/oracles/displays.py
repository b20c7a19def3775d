"""
Lists, dictionaries, comprehensions, and the targets that take them apart.
"""

from __future__ import annotations

import ast
import itertools
import math
from typing import TYPE_CHECKING, Final

from oraclekeep.oracles import captured, terms
from oraclekeep.oracles.checks import plain
from oraclekeep.oracles.evaluate import as_term, evaluate, reads, term_of
from oraclekeep.oracles.logged import MESSAGES
from oraclekeep.oracles.spelling import copy_of
from oraclekeep.oracles.terms import Term
from oraclekeep.oracles.values import Instance, Scope

if TYPE_CHECKING:
    from collections.abc import Callable

    from oraclekeep.oracles.values import Run, Value


#: Longest literal that a loop over it, or a comprehension with more than one loop, is written out for.
MAX_UNROLL: Final = 64
#: The same for a comprehension with one loop: each element costs one expression and no block of checks.
MAX_ROWS: Final = 512


@reads(ast.List, ast.Tuple, ast.Set)
def _display(run: Run, node: ast.List | ast.Tuple | ast.Set, scope: Scope) -> Value:
    items: list[Term] = []
    for one in node.elts:
        if isinstance(one, ast.Starred):
            inner = term_of(run, one.value, scope)
            known = elements(inner) if terms.called(inner) == "range" else None
            items += inner.args if inner.op in {"list", "tuple"} else known or (Term("star", "", (inner,)),)
        else:
            items.append(term_of(run, one, scope))
    kind = type(node).__name__.lower()
    if len(items) == 1 and items[0].op == "star":
        return copy_of(kind, items[0].args[0])
    return Term(kind, "", tuple(sorted(set(items)) if kind == "set" else items))


@reads(ast.Dict)
def _dict(run: Run, node: ast.Dict, scope: Scope) -> Value:
    pairs: dict[Term, Term] = {}
    for key, value in zip(node.keys, node.values, strict=True):
        if key is None:
            inner = term_of(run, value, scope)
            if inner.op == "dict":
                pairs |= {pair.args[0]: pair.args[1] for pair in inner.args if pair.op == "pair"}
            else:
                pairs[Term("star", "", (inner,))] = inner
        else:
            pairs[term_of(run, key, scope)] = term_of(run, value, scope)
    return Term("dict", "", tuple(sorted(Term("pair", "", pair) for pair in pairs.items())))


def elements(iterable: Term, limit: int = MAX_UNROLL) -> tuple[Term, ...] | None:
    """
    Return the elements of an iterable that is written out in the source, or None where it is longer.
    """
    if iterable.op in {"list", "tuple", "set"} and not any(one.op == "star" for one in iterable.args):
        return iterable.args if len(iterable.args) <= limit else None
    if iterable.op == "const" and iterable.value[:1] in {"'", '"'} and len(iterable.value) <= limit:
        return tuple(terms.const(letter) for letter in terms.literal(iterable))
    if iterable.op == "dict" and all(pair.op == "pair" for pair in iterable.args):
        return tuple(pair.args[0] for pair in iterable.args)
    if (
        terms.method(iterable) in {"items", "values", "keys"}
        and (base := iterable.args[0].args[0]).op == "dict"
    ):
        picked: dict[str, Callable[[Term], Term]] = {
            "items": lambda pair: Term("tuple", "", pair.args),
            "keys": lambda pair: pair.args[0],
            "values": lambda pair: pair.args[1],
        }
        return tuple(picked[terms.method(iterable)](pair) for pair in base.args if pair.op == "pair")
    if (
        terms.called(iterable) in {"enumerate", "zip", "list", "tuple", "sorted", "iter", "set", "reversed"}
        and len(iterable.args) > 1
    ):
        return _through(iterable, limit)
    if terms.called(iterable) in {"itertools.product", "itertools.chain"} and len(iterable.args) > 1:
        return _combined(iterable)
    if terms.called(iterable) == "range" and terms.is_literal(iterable):
        values = terms.literal(iterable)
        return tuple(terms.const(one) for one in values) if len(values) <= 8 else None
    if terms.method(iterable) in {"split", "splitlines"} and terms.is_literal(iterable):
        return elements(terms.of(terms.literal(iterable)), limit)
    return None


def _through(iterable: Term, limit: int) -> tuple[Term, ...] | None:
    first = 0
    if terms.called(iterable) == "enumerate" and (start := terms.argument(iterable, 1, "start")) is not None:
        first = terms.literal(start) if terms.is_literal(start) else 0
        iterable = Term("call", "", iterable.args[:2])
    parts = [elements(arg, limit) for arg in iterable.args[1:] if arg.op != "kw"]
    if any(part is None for part in parts):
        return None
    known = [part for part in parts if part is not None]
    if terms.called(iterable) == "enumerate":
        return tuple(
            Term("tuple", "", (terms.const(index), one)) for index, one in enumerate(known[0], first)
        )
    if terms.called(iterable) == "zip":
        return tuple(Term("tuple", "", pair) for pair in zip(*known, strict=False))
    return known[0]


def _combined(iterable: Term) -> tuple[Term, ...] | None:
    again = terms.keyword(iterable, "repeat")
    times = terms.literal(again) if again is not None and terms.is_literal(again) else 1
    several = again is not None and len(iterable.args) > 3
    if several or not isinstance(times, int) or not 0 < times < MAX_UNROLL:
        return None
    parts = [elements(arg) for arg in iterable.args[1:] if arg.op != "kw"] * times
    known = [part for part in parts if part is not None]
    if len(known) != len(parts) or math.prod(map(len, known)) > MAX_UNROLL:
        return None
    if terms.called(iterable) == "itertools.chain":
        return tuple(itertools.chain(*known))
    return tuple(Term("tuple", "", row) for row in itertools.product(*known))


@reads(ast.ListComp, ast.SetComp, ast.GeneratorExp, ast.DictComp)
def _comprehension(
    run: Run, node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp, scope: Scope
) -> Value:
    kind = _KINDS[type(node)]
    inner = Scope(scope.module, parent=scope)
    out: list[Term] = []
    known = _generate(run, node, 0, inner, out)
    if known and kind != "dict":
        return Term(kind, "", tuple(sorted(set(out))) if kind == "set" else tuple(out))
    if known:
        return Term("dict", "", tuple(sorted(set(out))))
    if kind == "list" and out == [Term("each", "", (MESSAGES,))] and len(node.generators) == 1:
        return MESSAGES
    if _is_copy(node):
        return copy_of(kind, term_of(run, node.generators[0].iter, scope))
    return Term("comp", kind, tuple(out))


_KINDS: Final = {ast.ListComp: "list", ast.SetComp: "set", ast.GeneratorExp: "list", ast.DictComp: "dict"}


def _is_copy(node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp) -> bool:
    """
    Return whether a comprehension gives what it goes through as it is: `[x for x in y]`.
    """
    made: ast.expr = node.elt if not isinstance(node, ast.DictComp) else ast.Tuple([node.key, node.value])
    match node.generators, made:
        case [ast.comprehension(target=ast.Name(id=name), ifs=[], is_async=0)], ast.Name(id=given):
            return name == given
        case (
            [ast.comprehension(target=ast.Tuple(elts=[ast.Name(id=a), ast.Name(id=b)]), ifs=[], is_async=0)],
            ast.Tuple(elts=[ast.Name(id=key), ast.Name(id=value)]),
        ):
            return isinstance(node, ast.DictComp) and (a, b) == (key, value) and _gives_pairs(node)
        case _:
            return False


def _gives_pairs(node: ast.DictComp) -> bool:
    """
    Return whether what is gone through are pairs, and no mapping that `dict` would take another way.
    """
    match node.generators[0].iter:
        case ast.Call(func=ast.Attribute(attr="items")) | ast.Call(func=ast.Name(id="zip" | "enumerate")):
            return True
        case _:
            return False


def _generate(
    run: Run,
    node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp,
    index: int,
    scope: Scope,
    out: list[Term],
) -> bool:
    """
    Write the elements into ``out``; the answer says whether they are all of them.
    """
    if index == len(node.generators):
        if isinstance(node, ast.DictComp):
            out.append(Term("pair", "", (term_of(run, node.key, scope), term_of(run, node.value, scope))))
        else:
            out.append(term_of(run, node.elt, scope))
        return True
    part = node.generators[index]
    if isinstance(part.iter, ast.Name):
        run.checks += scope.keep(part.iter.id)
    iterable = term_of(run, part.iter, scope)
    items = elements(iterable, MAX_ROWS if len(node.generators) == 1 else MAX_UNROLL)
    whole = items is not None
    for one in items if items is not None else (Term("each", "", (iterable,)),):
        bind(run, part.target, one, scope)
        conditions = [term_of(run, test, scope) for test in part.ifs]
        for condition in conditions:
            if not terms.is_literal(condition):
                out.append(Term("if", "", (condition,)))
                whole = False
        if all(not terms.is_literal(one) or terms.literal(one) for one in conditions):
            whole = _generate(run, node, index + 1, scope, out) and whole
    return whole


def bind(run: Run, target: ast.expr, value: Value, scope: Scope) -> None:
    """
    Assign a value to a target; what is not a plain name is taken apart or recorded on `self`.
    """
    match target:
        case ast.Name():
            known = named(value, target.id)
            if known is not value and run.effects and isinstance(value, Term) and value.op == "mock":
                told = Term("mock", target.id)
                run.effects = [(terms.replace(one, Term("mock"), told), place) for one, place in run.effects]
                run.done = ()
            scope.set(target.id, known, run.epoch)
        case ast.Tuple() | ast.List():
            _unpack(run, target.elts, as_term(value), scope)
        case ast.Starred():
            bind(run, target.value, value, scope)
        case ast.Attribute():
            base = evaluate(run, target.value, scope)
            if isinstance(base, Instance):
                base.attrs[target.attr] = value
        case _:
            return


def named(value: Value, name: str) -> Value:
    """
    Tell mocks apart by the first name they are given.
    """
    return (
        Term("mock", name, value.args)
        if isinstance(value, Term) and value.op == "mock" and not value.value
        else value
    )


def _unpack(run: Run, targets: list[ast.expr], value: Term, scope: Scope) -> None:
    known = (
        value.op in {"list", "tuple"}
        and len(value.args) == len(targets)
        and not any(one.op == "star" for one in value.args)
    )
    sure = not (run.guards or run.tolerated or run.swallowed)
    stars = [index for index, target in enumerate(targets) if isinstance(target, ast.Starred)]
    if not known and sure:
        run.unpacked.add((plain(value), -len(targets) if stars else len(targets)))
    for place, target in enumerate(targets):
        index = place - len(targets) if stars and place > stars[0] else place
        item = value.args[index] if known else Term("index", "", (value, terms.const(index)))
        bind(run, target, item if known else captured.read(item) or item, scope)
