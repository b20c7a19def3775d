"""
Patterns of a `match` statement as conditions.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from oraclekeep.oracles import terms
from oraclekeep.oracles.evaluate import term_of
from oraclekeep.oracles.spelling import fold
from oraclekeep.oracles.terms import TRUE, Term

if TYPE_CHECKING:
    from oraclekeep.oracles.values import Run, Scope


def conditions(run: Run, node: ast.Match, subject: Term, scope: Scope) -> list[Term] | None:
    """
    Return what each case asks, or None where a pattern is more than comparisons of parts.
    """
    found: list[Term] = []
    for case in node.cases:
        asked = _asked(run, case.pattern, subject, scope)
        if asked is None or case.guard is not None:
            return None
        found.append(asked[0] if len(asked) == 1 else Term("bool", "And", tuple(asked)) if asked else TRUE)
    return found


def _asked(run: Run, pattern: ast.pattern, subject: Term, scope: Scope) -> list[Term] | None:
    match pattern:
        case ast.MatchValue(value=value):
            return [fold(Term("cmp", "Eq", (subject, term_of(run, value, scope))))]
        case ast.MatchSingleton(value=value):
            return [fold(Term("cmp", "Is", (subject, terms.const(value))))]
        case ast.MatchAs(pattern=None, name=name):
            if name is not None:
                scope.set(name, subject, run.epoch)
            return []
        case ast.MatchSequence(patterns=parts) if not any(isinstance(one, ast.MatchStar) for one in parts):
            written = scope.module.lines[pattern.lineno - 1].encode()[pattern.col_offset :]
            kind = "tuple" if written.startswith(b"(") else "list"
            return _sequence(run, parts, subject, scope, kind)
        case ast.MatchMapping(keys=keys, patterns=parts, rest=None):
            labels = [term_of(run, key, scope) for key in keys]
            held = [
                Term("cmp", "In", (label, subject))
                for label, part in zip(labels, parts, strict=True)
                if _takes_all(part)
            ]
            inner = _all(run, parts, [Term("index", "", (subject, label)) for label in labels], scope)
            return None if inner is None else [*held, *inner]
        case ast.MatchClass(cls=cls, patterns=[], kwd_attrs=names, kwd_patterns=parts):
            is_one = terms.call(terms.name("isinstance"), (subject, term_of(run, cls, scope)))
            inner = _all(run, parts, [terms.attr(subject, name) for name in names], scope)
            return None if inner is None else [is_one, *inner]
        case _:
            return None


def _takes_all(pattern: ast.pattern) -> bool:
    return isinstance(pattern, ast.MatchAs) and pattern.pattern is None


def _sequence(
    run: Run, parts: list[ast.pattern], subject: Term, scope: Scope, kind: str
) -> list[Term] | None:
    """
    A sequence of plain values is a comparison of the whole.
    """
    if all(isinstance(one, ast.MatchValue) for one in parts):
        values = tuple(term_of(run, one.value, scope) for one in parts if isinstance(one, ast.MatchValue))
        return [Term("cmp", "Eq", (subject, Term(kind, "", values)))]
    length = terms.call(terms.name("len"), (subject,))
    places = [Term("index", "", (subject, terms.const(index))) for index in range(len(parts))]
    inner = _all(run, parts, places, scope)
    return None if inner is None else [Term("cmp", "Eq", (length, terms.const(len(parts)))), *inner]


def _all(run: Run, parts: list[ast.pattern], places: list[Term], scope: Scope) -> list[Term] | None:
    found: list[Term] = []
    for part, place in zip(parts, places, strict=True):
        asked = _asked(run, part, place, scope)
        if asked is None:
            return None
        found += asked
    return found
