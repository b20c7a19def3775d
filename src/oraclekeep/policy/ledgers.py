"""
The two ledgers and the properties: `oracle/quarantine.json` and `invariants/inventory.yaml`.

A row that is wrong makes base's file a bad file; in head it is a finding.  So rows and faults come together.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from oraclekeep.model import CheckCall, Freeze, Inventory, Property, Quarantined
from oraclekeep.policy.documents import read_document
from oraclekeep.policy.files import day
from oraclekeep.policy.schema import Problem, problems, refuse

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from oraclekeep.model import Snapshot
    from oraclekeep.policy.documents import Document

    Rows = tuple[tuple[int, Mapping[str, Any]], ...]

QUARANTINE: Final = "oracle/quarantine.json"
INVENTORY: Final = "invariants/inventory.yaml"


@dataclass(frozen=True, slots=True)
class Quarantine:
    """
    The good rows of `oracle/quarantine.json`, and what is wrong with the others.
    """

    rows: tuple[Quarantined, ...] = ()
    faults: tuple[Problem, ...] = ()


@dataclass(frozen=True, slots=True)
class Replays:
    """
    `invariants/inventory.yaml` with its good freezes, and what is wrong with the others.
    """

    inventory: Inventory = field(default_factory=Inventory)
    faults: tuple[Problem, ...] = ()


def read_quarantine(tree: Snapshot) -> tuple[Quarantined, ...]:
    """
    Return the rows.

    Raises `ConfigError` for any bad one.
    """
    ledger = quarantine_of(tree)
    refuse(QUARANTINE, ledger.faults)
    return ledger.rows


def quarantine_of(tree: Snapshot) -> Quarantine:
    """
    Return good rows and the faults of bad ones.

    Raises `ConfigError` where more than a row is wrong.
    """
    data = tree.read(QUARANTINE)
    if data is None:
        return Quarantine()
    document = read_document(QUARANTINE, data)
    faults = _split(document, problems(document, "quarantine"), "items")
    rows = _good(document, "items", faults)
    faults += _twice(document, "items", rows, lambda row: (row["nodeid"],))
    faults += _vague(document, rows)
    rows = _good(document, "items", faults)
    return Quarantine(
        tuple(
            Quarantined(
                nodeid=row["nodeid"],
                issue=row["issue"],
                expires=day(row["expires"]),
                reason=row["reason"],
                points=int(row.get("points", 1)),
                owner=row.get("owner", ""),
                line=document.line("items", index),
            )
            for index, row in rows
        ),
        faults,
    )


def nodeid_parts(nodeid: str) -> tuple[str, tuple[str, ...], str]:
    """
    Return file, names and parameters: `a/test_b.py::T::test_c[1-x]` → `a/test_b.py`, (`T`, `test_c`), `1-x`.
    """
    path, _, rest = nodeid.partition("::")
    names, bracket, parameters = rest.partition("[")
    return path, tuple(names.split("::")) if names else (), parameters.removesuffix("]") if bracket else ""


def _vague(document: Document, rows: Rows) -> tuple[Problem, ...]:
    """
    Refuse rows that would cover more than one test.
    """
    found = []
    for index, row in rows:
        path, names, _ = nodeid_parts(row["nodeid"])
        where = ("items", index, "nodeid")
        if any(mark in path for mark in "*?[") or any(mark in name for name in names for mark in "*?"):
            message = f"{row['nodeid']!r} holds a wildcard; write one row for each exact nodeid"
            found.append(Problem(document.line(*where), message, where))
        elif not names or not all(names):
            message = f"{row['nodeid']!r} is a file or a folder; write one row for each test, path::name"
            found.append(Problem(document.line(*where), message, where))
    return tuple(found)


# ------------------------------------------------------------------------------------------- the inventory


def read_inventory(tree: Snapshot) -> Inventory:
    """
    Return properties and freezes.

    Raises `ConfigError` for any bad one.
    """
    found = replays_of(tree)
    refuse(INVENTORY, found.faults)
    return found.inventory


def replays_of(tree: Snapshot) -> Replays:
    """
    Return properties, good freezes and the faults of bad ones.

    Raises `ConfigError` where more than a freeze is wrong.
    """
    data = tree.read(INVENTORY)
    if data is None:
        return Replays()
    document = read_document(INVENTORY, data)
    faults = _split(document, problems(document, "inventory"), "freezes")
    properties = read_properties(document)
    freezes = _good(document, "freezes", faults)
    faults += _twice(
        document, "freezes", freezes, lambda row: (row["property_id"], row["seed"], row["fixture_sha256"])
    )
    freezes = _good(document, "freezes", faults)
    return Replays(
        Inventory(properties, tuple(_freeze(document, index, row) for index, row in freezes)), faults
    )


def read_properties(document: Document) -> tuple[Property, ...]:
    """
    Return the properties of a document that its schema accepts.

    Raises `ConfigError` where two share an id.
    """
    rows = tuple(enumerate(document.value.get("properties") or ()))
    refuse(document.path, _twice(document, "properties", rows, lambda row: (row["id"],)))
    return tuple(_property(document, index, row) for index, row in rows)


def _property(document: Document, index: int, row: Mapping[str, Any]) -> Property:
    plain = {
        key: row[key]
        for key in ("id", "module", "fn", "fixture", "note", "clock", "strategy", "pending")
        if key in row
    }
    return Property(
        **plain,
        seed=int(row["seed"]),
        checks=tuple(_check(entry) for entry in row["checks"] or ()),
        timeout=float(row.get("timeout", 60.0)),
        examples=int(row.get("examples", 0)),
        line=document.line("properties", index),
    )


def _check(entry: str | Mapping[str, Mapping[str, object] | None]) -> CheckCall:
    if isinstance(entry, str):
        return CheckCall(entry)
    ((name, parameters),) = entry.items()
    return CheckCall(name, parameters or {})


def _freeze(document: Document, index: int, row: Mapping[str, Any]) -> Freeze:
    return Freeze(
        property_id=row["property_id"],
        seed=int(row["seed"]),
        fixture=row.get("fixture", ""),
        fixture_sha256=row["fixture_sha256"],
        reason=row["reason"],
        expires_on=day(row["expires_on"]),
        points=int(row.get("points", 1)),
        repeats=tuple(row.get("repeats") or ()),
        line=document.line("freezes", index),
    )


# ------------------------------------------------------------------------------------------- rows in general


def _split(document: Document, found: Iterable[Problem], key: str) -> tuple[Problem, ...]:
    """
    Return the faults of rows under a key.

    Raises `ConfigError` for the faults of anything else.
    """
    rows = tuple(problem for problem in found if len(problem.where) > 1 and problem.where[0] == key)
    refuse(document.path, (problem for problem in found if problem not in rows))
    return rows


def _good(document: Document, key: str, faults: Iterable[Problem]) -> Rows:
    bad = {problem.where[1] for problem in faults}
    return tuple((index, row) for index, row in enumerate(document.value.get(key) or ()) if index not in bad)


def _twice(
    document: Document, key: str, rows: Rows, identity: Callable[[Mapping[str, Any]], tuple[object, ...]]
) -> tuple[Problem, ...]:
    first: dict[tuple[object, ...], int] = {}
    found = []
    for index, row in rows:
        line = document.line(key, index)
        names = identity(row)
        if names in first:
            text = ", ".join(str(name) for name in names)
            found.append(
                Problem(
                    line, f"{text} stands twice, first in line {first[names]}; keep one row", (key, index)
                )
            )
        first.setdefault(names, line)
    return tuple(found)
