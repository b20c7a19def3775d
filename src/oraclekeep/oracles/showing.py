"""
Terms as short texts, for reports and for labels.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from oraclekeep.oracles.checks import Kind

if TYPE_CHECKING:
    from oraclekeep.oracles.checks import Check
    from oraclekeep.oracles.terms import Term

_BETWEEN: Final = {
    Kind.EQUAL: "==",
    Kind.NOT_EQUAL: "!=",
    Kind.IS: "is",
    Kind.MEMBER: "in",
    Kind.NOT_MEMBER: "not in",
}


def show(term: Term) -> str:
    """
    Return a short text of a term for a report.
    """
    shown = _show(term)
    return shown if len(shown) <= 120 else shown[:117] + "..."


def with_values(check: Check) -> str:
    """
    Return a check as it is written, and what it comes to: of several cases, which one it is.
    """
    sides = [show(check.subject), *([show(check.expected)] if check.expected.op != "none" else ())]
    between = _BETWEEN.get(check.kind, "/")
    return f"{check.place.text}  # {f' {between} '.join(sides)}"


def _show(term: Term) -> str:
    parts = [_show(arg) for arg in term.args]
    match term.op:
        case "const" | "name" | "local" | "fixture" | "param" | "drawn":
            return (
                term.value.partition("@")[0]
                .removeprefix("prod:")
                .removeprefix("pmod:")
                .removeprefix("suite:")
            )
        case "attr":
            return f"{parts[0]}.{term.value}"
        case "call":
            return f"{parts[0]}({', '.join(parts[1:])})"
        case "kw":
            return f"{term.value}={parts[0]}"
        case "cmp" | "bin":
            return f"{parts[0]} {_SIGNS.get(term.value, term.value)} {parts[1]}"
        case "unary":
            return f"not {parts[0]}" if term.value == "Not" else f"-{parts[0]}"
        case "star":
            return f"*{parts[0]}"
        case "acc":  # a value that the test has worked on
            return ", ".join(parts)
        case "index":
            return f"{parts[0]}[{parts[1]}]"
        case "list" | "set" | "tuple":
            return "[" + ", ".join(parts) + "]"
        case _:
            return f"{term.op}({', '.join(parts)})"


_SIGNS: Final = {
    "Eq": "==", "NotEq": "!=", "Lt": "<", "LtE": "<=", "Gt": ">", "GtE": ">=", "In": "in", "NotIn": "not in",
    "Is": "is", "IsNot": "is not", "Add": "+", "Sub": "-", "Mult": "*", "Div": "/",
}  # fmt: skip
