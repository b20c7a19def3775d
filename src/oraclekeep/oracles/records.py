"""
Records of the suite: classes that only hold what they are made with.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from oraclekeep.oracles.parsing import last_name

if TYPE_CHECKING:
    from oraclekeep.oracles.collect import Class

#: Decorators, by their last name, that write `__init__` from annotated fields.
_WRITING: Final = frozenset({"dataclass", "define", "frozen", "mutable", "attrs", "s"})
_SPECIFIERS: Final = frozenset({"field", "Factory", "ib", "attrib"})


def record_fields(klass: Class) -> dict[str, ast.expr | None]:
    """
    Return the fields of a dataclass or named tuple in their order, with their plain defaults.
    """
    fields: dict[str, ast.expr | None] = {}
    for one in (klass, *klass.mro)[::-1]:
        if is_record(one):
            for node in one.node.body:
                match node:
                    case ast.AnnAssign(target=ast.Name(id=name), value=value):
                        fields[name] = None if _is_specifier(value) else value
                    case _:
                        continue
    return fields if klass.member("__init__") is None and klass.member("__post_init__") is None else {}


def is_record(klass: Class) -> bool:
    """
    Return whether a decorator or a base writes the constructor of a class.
    """
    labels = [base.rpartition(".")[2] for base in klass.outside]
    for one in klass.node.decorator_list:
        target = one.func if isinstance(one, ast.Call) else one
        labels.append(last_name(target))
    return "NamedTuple" in labels or not _WRITING.isdisjoint(labels)


def _is_specifier(value: ast.expr | None) -> bool:
    target = value.func if isinstance(value, ast.Call) else None
    label = last_name(target)
    return label in _SPECIFIERS
