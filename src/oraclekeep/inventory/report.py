"""
Inventory runs in and out: JSON, JUnit, and lines for people.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from oraclekeep.errors import ConfigError, MissingEvidence
from oraclekeep.lanekit.inventory_classes import CALM, CLASSES, MISSING
from oraclekeep.lanekit.inventory_runner import SCHEMA

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from oraclekeep.inventory.classify import Compared

_STATUSES: Final = (*CLASSES, MISSING)


def read_rows(path: Path) -> list[dict[str, Any]]:
    """
    Read the rows of a run: `oraclekeep/inventory/1`, or a plain list of rows.

    Raises `MissingEvidence` or `ConfigError` for a file that is not one.
    """
    try:
        document = json.loads(path.read_bytes())
    except OSError as error:
        raise MissingEvidence(
            f"{path}: {error.strerror}; `oraclekeep inventory --json {path}` writes one"
        ) from error
    except (ValueError, RecursionError) as error:
        raise ConfigError(f"{path}: not JSON: {error}") from error
    if isinstance(document, dict):
        if document.get("schema") != SCHEMA:
            raise ConfigError(f"{path}: the schema is {document.get('schema')!r}, not {SCHEMA!r}")
        document = document.get("properties")
    if not isinstance(document, list):
        raise ConfigError(f"{path}: neither a run of the inventory nor a list of rows")
    seen: set[str] = set()
    for number, row in enumerate(document, 1):
        if problem := _problem(row, seen):
            raise ConfigError(f"{path}: row {number}: {problem}")
        seen.add(row["prop_id"])
    return document


def _problem(row: object, seen: set[str]) -> str:
    if not isinstance(row, dict) or not isinstance(row.get("prop_id"), str):
        return "it is not a mapping with a prop_id"
    if row.get("status") not in _STATUSES:
        return f"the status is {row.get('status')!r}; it must be one of {', '.join(_STATUSES)}"
    return f"{row['prop_id']} stands twice" if row["prop_id"] in seen else ""


def blocks(row: Mapping[str, Any]) -> bool:
    """
    Return whether a row of a run stops a merge.
    """
    return row["status"] not in CALM and row.get("votes", True) is not False


def lines_of(inventory: Mapping[str, Any]) -> str:
    """
    Return a run as a line per property and one that sums up.
    """
    rows = inventory["properties"]
    told = [
        (row["status"], row["prop_id"], row["detail"] + ("" if row["votes"] else " (does not vote)"))
        for row in rows
    ]
    red = sum(map(blocks, rows))
    count = "1 property" if len(rows) == 1 else f"{len(rows)} properties"
    end = "nothing blocks" if not red else "1 blocks" if red == 1 else f"{red} block"
    return _table(told) + f"{count}, {inventory['repeats']} repeats: {end}\n"


def lines_of_comparison(compared: Sequence[Compared]) -> str:
    """
    Return a comparison as a line per property.
    """
    return _table([(one.status.value, one.prop_id, one.detail) for one in compared])


def _table(rows: Sequence[tuple[str, str, str]]) -> str:
    widths = [max((len(row[column]) for row in rows), default=0) for column in (0, 1)]
    return "".join(
        f"{one:<{widths[0]}}  {two:<{widths[1]}}  {three}".rstrip() + "\n" for one, two, three in rows
    )


def comparison_json(compared: Sequence[Compared]) -> dict[str, Any]:
    return {
        "schema": "oraclekeep/classify/1",
        "properties": [
            {
                "prop_id": one.prop_id,
                "status": one.status.value,
                "first": one.first,
                "second": one.second,
                "detail": one.detail,
            }
            for one in compared
        ],
    }
