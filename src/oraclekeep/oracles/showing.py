"""
Terms as short texts, for reports and for labels.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from oraclekeep.oracles.terms import Term


def show(term: Term) -> str:
    """
    Return a short text of a term for a report.
    """
    shown = _show(term)
    return shown if len(shown) <= 120 else shown[:117] + "..."


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
