"""
Cells of a job's matrix, and those that `continue-on-error` lets off by an expression.
"""

from __future__ import annotations

import ast
import itertools
import re
from typing import TYPE_CHECKING, Final

from oraclekeep.machinery.jobs import Weakness, spelt
from oraclekeep.machinery.runs import SOFT

if TYPE_CHECKING:
    from collections.abc import Iterator

    from oraclekeep.machinery.reach import Machinery
    from oraclekeep.machinery.yamltext import Yaml

_KEY: Final = "continue-on-error"
_MOST: Final = 512  # cells; a larger matrix is cut
_TOKEN: Final = re.compile(r"'(?:[^']|'')*'|&&|\|\||!(?!=)|matrix\.([\w-]+)")
_WORDS: Final = {"&&": " and ", "||": " or ", "!": " not "}


def let_off(path: str, before: Machinery, after: Machinery) -> Iterator[Weakness]:
    """
    Yield jobs and steps of base that head's matrix lets fail in cells which base held to account.
    """
    old, new = (spelt(side.documents(path)) for side in (before, after))
    for name, job in new.items():
        mate = old.get(name)
        judged = [run for run in before.runs(path) if run.unit == name and not run.masked]
        if mate is None or all(run.check.group in ("", *SOFT) for run in judged):
            continue
        known = {step.at("run").canon(): step for step in mate.at("steps").items}
        pairs = [(mate, job), *((known.get(step.at("run").canon()), step) for step in job.at("steps").items)]
        for was, now in pairs:
            text = now.at(_KEY).text
            if was is not None and "matrix." in text and was.at(_KEY).text != text:
                cell = _excused(text, mate, job)
                if cell is not None:
                    shown = ", ".join(f"{key} {value}" for key, value in cell.items()) or "every cell"
                    what = f"may now fail unnoticed for {shown}: `{_KEY}` ignores its failure"
                    yield Weakness(path, now.at(_KEY).line, f"Job {name}", what, "", f"{_KEY}: {text}")
                    break


def _excused(text: str, before: Yaml, after: Yaml) -> dict[str, str] | None:
    """
    Return a cell of base that the expression lets off in head.
    """
    old, new = _cells(before), _cells(after)
    free = [cell for cell in new if _holds(text, cell)]
    for cell in free:
        for other in old:
            shared = cell.keys() & other.keys()
            if shared and all(cell[key] == other[key] for key in shared):
                return {key: cell[key] for key in sorted(shared)}
    return {} if free and len(free) == len(new) else None


def _cells(job: Yaml) -> list[dict[str, str]]:
    """
    Return a matrix spelt out.  An entry of `include` adds to the cells that it agrees with, or is one itself.
    """
    matrix = job.at("strategy", "matrix").map
    axes = {
        name: [item.canon() for item in values.items]
        for name, values in matrix.items()
        if name not in {"include", "exclude"} and values.items
    }
    product = itertools.product(*axes.values()) if axes else ()
    cells = [dict(zip(axes, values, strict=True)) for values in itertools.islice(product, _MOST)]
    out = [_plain(item) for item in matrix["exclude"].items] if "exclude" in matrix else []
    cells = [cell for cell in cells if not any(entry.items() <= cell.items() for entry in out)]
    for entry in [_plain(item) for item in matrix["include"].items] if "include" in matrix else []:
        shared = entry.keys() & axes.keys()
        mates = [cell for cell in cells if all(cell.get(key) == entry[key] for key in shared)]
        for mate in mates:
            mate.update(entry)
        if not mates:
            cells.append(entry)
    return cells


def _plain(entry: Yaml) -> dict[str, str]:
    return {key: value.canon() for key, value in entry.map.items()}


def _holds(text: str, cell: dict[str, str]) -> bool:
    """
    Tell whether an expression of GitHub's is true in a cell; one that cannot be read is.
    """
    inner = text.strip().removeprefix("${{").removesuffix("}}").strip()

    def value_of(found: re.Match[str]) -> str:
        if found[1]:
            return repr(cell.get(found[1], ""))
        return _WORDS.get(found[0]) or repr(found[0][1:-1].replace("''", "'"))

    try:
        value = _value(ast.parse(_TOKEN.sub(value_of, inner).strip(), mode="eval").body)
    except (SyntaxError, ValueError, RecursionError):
        return True
    return value.lower() not in {"", "false", "0", "null"}


def _value(node: ast.expr) -> str:
    match node:
        case ast.Constant(value=value):
            return str(value)
        case ast.Name(id=name):
            return name
        case ast.UnaryOp(op=ast.Not(), operand=inner):
            return str(_value(inner).lower() in {"", "false", "0", "null"})
        case ast.BoolOp(op=op, values=values):
            told = [_value(value) for value in values]
            wanted = [one for one in told if (one.lower() in {"", "false", "0"}) is isinstance(op, ast.And)]
            return (wanted or told[-1:])[0]
        case ast.Compare(left=left, ops=[ast.Eq() | ast.NotEq() as op], comparators=[right]):
            same = _value(left).lower() == _value(right).lower()
            return str(same is isinstance(op, ast.Eq))
        case ast.Call(func=ast.Name(id=name), args=[whole, part]):
            mine, theirs = _value(whole).lower(), _value(part).lower()
            found = {
                "contains": theirs in mine,
                "startsWith": mine.startswith(theirs),
                "endsWith": mine.endswith(theirs),
            }
            if name in found:
                return str(found[name])
        case _:
            pass
    raise ValueError(node)
