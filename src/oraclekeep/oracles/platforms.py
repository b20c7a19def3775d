"""
The several ways to ask which machine a test runs on.
"""

from __future__ import annotations

from typing import Final

from oraclekeep.oracles import terms
from oraclekeep.oracles.terms import Term

#: (what is asked, the answer) -> the same question in one form.  Only answers that always come together.
_SAME: Final = {
    ("platform.python_implementation()", "PyPy"): ("sys.implementation.name", "pypy"),
    ("platform.python_implementation()", "CPython"): ("sys.implementation.name", "cpython"),
    ("platform.system()", "Windows"): ("sys.platform", "win32"),
    ("platform.system()", "Darwin"): ("sys.platform", "darwin"),
    ("os.name", "nt"): ("sys.platform", "win32"),
}


def in_one_form(condition: Term) -> Term:
    """
    Write every question about the machine in a condition in the form that all its synonyms share.
    """
    if condition.op in {"bool", "unary"}:
        return Term(condition.op, condition.value, tuple(in_one_form(one) for one in condition.args))
    if condition.op != "cmp" or condition.value not in {"Eq", "NotEq"} or len(condition.args) != 2:
        return condition
    asked, answer = condition.args
    key = terms.show(asked), terms.literal(answer) if terms.is_literal(answer) else None
    if not isinstance(key[1], str) or key not in _SAME:
        return condition
    fact, value = _SAME[key[0], key[1]]
    return Term("cmp", condition.value, (terms.name(fact), terms.const(value)))
