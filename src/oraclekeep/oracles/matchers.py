"""
Classes of the suite that say themselves what they are equal to.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from oraclekeep.oracles import terms
from oraclekeep.oracles.checks import Place
from oraclekeep.oracles.evaluate import as_term, evaluate
from oraclekeep.oracles.parsing import below, last_name
from oraclekeep.oracles.terms import Term
from oraclekeep.oracles.values import Scope

if TYPE_CHECKING:
    from collections.abc import Iterator

    from oraclekeep.oracles.collect import Class
    from oraclekeep.oracles.values import Instance, Run

#: Functions that describe one field of a data class, and the options that leave it out of comparisons.
_FIELDS: Final = frozenset({"field", "ib", "attrib"})
_LEFT_OUT: Final = frozenset({"compare", "eq"})


def as_matcher(run: Run, klass: Class, term: Term) -> Term:
    """
    Return an object that is compared in a way of its own with what it compares by, any other as it is.
    """
    equals = _equals(klass)
    if equals is None:
        if unseen := sorted(set(_unseen(klass))):
            said = Term("list", "", tuple(map(terms.const, unseen)))
            settings = Term("options", "", (Term("kw", "compare", (said,)),))
            place = Place(klass.module.path, klass.node.lineno, klass.module.segment(klass.node))
            run.options.setdefault((Term("asked", f"the fields of {klass.node.name}"), settings), place)
        return term
    node, home = equals
    held = dict(_constants(run, klass, node, home))
    named = tuple(Term("kw", name, (held[name],)) for name in sorted(held))
    return Term("matcher", home.module.digest(node), (*term.args, *named))


def with_defaults(made: Instance) -> Term:
    """
    Return the term of an object with those literals that it compares by and was not given.
    """
    equals, term = _equals(made.klass), made.term
    if equals is None or term.op != "matcher":
        return term
    known = {part.value for part in term.args if part.op == "kw"}
    given = {part.args[0] if part.op == "kw" else part for part in term.args}
    asked = {name for owner, name in _read_in(equals[0]) if owner == "self"} - known
    held = {name: as_term(value) for name, value in made.attrs.items() if name in asked}
    fresh = {name: one for name, one in held.items() if terms.is_literal(one) and one not in given}
    return Term(
        term.op, term.value, (*term.args, *(Term("kw", name, (fresh[name],)) for name in sorted(fresh)))
    )


def _equals(klass: Class) -> tuple[ast.FunctionDef, Class] | None:
    found = klass.member("__eq__")
    return (found[0], found[1]) if found is not None and isinstance(found[0], ast.FunctionDef) else None


def _read_in(node: ast.FunctionDef) -> Iterator[tuple[str, str]]:
    """
    Yield the members of names that a method reads, and the names themselves.
    """
    for one in below(node):
        match one:
            case ast.Attribute(value=ast.Name(id=owner), attr=name, ctx=ast.Load()):
                yield owner, name
            case ast.Name(id=name, ctx=ast.Load()):
                yield "", name
            case _:
                continue


def _constants(run: Run, klass: Class, node: ast.FunctionDef, home: Class) -> Iterator[tuple[str, Term]]:
    """
    Yield the literals of the class and of its module that its comparison reads.
    """
    for owner, name in _read_in(node):
        found = klass.member(name) if owner in {"self", "cls", klass.node.name} else None
        value = found[0] if found is not None else home.module.constants.get(name) if not owner else None
        if isinstance(value, ast.expr):
            term = as_term(evaluate(run, value, Scope(home.module)))
            if terms.is_literal(term):
                yield name, term


def _unseen(klass: Class) -> Iterator[str]:
    """
    Yield the fields of a data class that its comparison leaves out.
    """
    for one in (klass, *klass.mro):
        for node in one.node.body:
            match node:
                case ast.AnnAssign(target=ast.Name(id=name), value=ast.Call(func=func, keywords=keywords)):
                    if last_name(func) in _FIELDS and any(
                        key.arg in _LEFT_OUT and isinstance(key.value, ast.Constant) and not key.value.value
                        for key in keywords
                    ):
                        yield name
                case _:
                    continue
