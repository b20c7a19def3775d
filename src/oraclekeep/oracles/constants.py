"""
Constants under a name of their own: attributes of the suite's classes, members of enumerations, HTTP codes.
"""

from __future__ import annotations

import ast
import http
import re
from typing import TYPE_CHECKING, Final

from oraclekeep.oracles import terms
from oraclekeep.oracles.collect import class_of, lookup
from oraclekeep.oracles.evaluate import as_term, evaluate
from oraclekeep.oracles.parsing import below
from oraclekeep.oracles.terms import Term
from oraclekeep.oracles.values import Scope

if TYPE_CHECKING:
    from oraclekeep.oracles.values import Run

_CODE: Final = re.compile(r"HTTP_(\d{3})_[A-Z_]+")
#: Enumerations whose members equal what they stand for.
_PLAIN: Final = frozenset({"IntEnum", "StrEnum", "IntFlag", "int", "str"})


def status_code(owner: str, name: str) -> Term | None:
    """
    Return the number that a name of the standard library, or of a web framework, stands for.
    """
    if owner == "http.HTTPStatus":
        found = http.HTTPStatus.__members__.get(name)
        return terms.const(int(found)) if found is not None else None
    code = _CODE.fullmatch(name) if owner.rpartition(".")[2] == "status" else None
    return terms.const(int(code[1])) if code is not None else None


def of_class(run: Run, label: str, name: str) -> Term | None:
    """
    Return the literal that a class of the suite holds under a name, if nothing writes to that name.
    """
    found = lookup(run.sources, run.home, label)
    if found is None or not isinstance(found[0], ast.ClassDef):
        return None
    klass = class_of(run.sources, found[1], found[0])
    member = klass.member(name)
    bases = {base.rpartition(".")[2] for base in klass.outside}
    is_enum = any(base.endswith(("Enum", "Flag")) for base in bases)
    equals = klass.member("__eq__")
    if equals is not None and member is not None and is_enum:  # it says itself what it equals
        return Term("matcher", equals[1].module.digest(equals[0]))
    if member is None or not isinstance(member[0], ast.expr) or (is_enum and not bases & _PLAIN):
        return None
    if any(
        name in run.sources.once("written", one.tree, _written)
        for one in {run.home.path: run.home, found[1].path: found[1]}.values()
    ):
        return None
    value = as_term(evaluate(run, member[0], Scope(member[1].module)))
    return value if terms.is_literal(value) else None


def _written(tree: ast.AST) -> frozenset[str]:
    """
    Return the attributes that a module sets on anything, by name.
    """
    found: set[str] = set()
    for node in below(tree):
        match node:
            case ast.Attribute(attr=attr, ctx=ast.Store() | ast.Del()):
                found.add(attr)
            case ast.Call(
                func=ast.Name(id="setattr") | ast.Attribute(attr="setattr" | "object"),
                args=[_, ast.Constant(value=str(attr)), *_],
            ):
                found.add(attr)
            case _:
                continue
    return frozenset(found)
