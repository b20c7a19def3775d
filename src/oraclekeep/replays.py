"""
What the inventory lanes leave, as runs that can be compared.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from oraclekeep.lanekit.inventory_classes import CLASSES
from oraclekeep.model import InventoryClass, Outcome

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from oraclekeep.evidence import Evidence
    from oraclekeep.model import TestResult

    Row = Mapping[str, Any]

_CLASS_OF: Final = {
    Outcome.PASSED: InventoryClass.PASS,
    Outcome.FAILED: InventoryClass.INVARIANT_MISS,
    Outcome.FLAKY: InventoryClass.NOISE,
    Outcome.SKIPPED: InventoryClass.FROZEN,
    Outcome.XFAILED: InventoryClass.FROZEN,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """
    One inventory run on one runner.

    A run with ``wrongs``, which its lane has told, or ``doubts``, which it has not, is compared with nothing.
    """

    place: str
    shard: str = ""
    runner: str = ""
    signer: str = ""  # who signed its evidence, as base's signers are named
    environment: Mapping[str, Any] = field(default_factory=dict)
    rows: tuple[Row, ...] = ()
    varied: Mapping[str, str] | None = None  # property -> its class under other pins
    variation: str = ""  # what those pins are
    wrongs: tuple[str, ...] = ()
    doubts: tuple[str, ...] = ()

    @property
    def answers_nothing(self) -> bool:
        return bool(self.rows) and {row["status"] for row in self.rows} == {"protocol_error"}


def run_of(evidence: Evidence | None, wrongs: Iterable[str], place: str) -> Run:
    """
    Take what is compared out of a lane's evidence.
    """
    wrongs = tuple(wrongs)
    if evidence is None:
        return Run(place=place, wrongs=wrongs, doubts=() if wrongs else ("there is no evidence",))
    rows, varied = _rows(evidence.inventory), _rows(evidence.varied)
    doubts = []
    if rows is None:
        doubts.append("its inventory is not one")
    if not evidence.runner:
        doubts.append("it does not say which runner it is of")
    if evidence.lane == "witness" and {row["prop_id"] for row in varied or ()} != {
        row["prop_id"] for row in rows or ()
    }:
        doubts.append("it holds no replay of the same properties under varied pins")
    return Run(
        place=place,
        shard=evidence.shard,
        runner=evidence.runner,
        environment=evidence.environment,
        rows=rows or (),
        varied=None if varied is None else {row["prop_id"]: row["status"] for row in varied},
        variation=_variation(evidence.inventory, evidence.varied),
        wrongs=wrongs,
        doubts=tuple(doubts),
    )


def _rows(inventory: Mapping[str, Any] | None) -> tuple[Row, ...] | None:
    found = None if inventory is None else inventory.get("properties")
    if not isinstance(found, list) or not all(map(_is_row, found)):
        return None
    return tuple(found) if len({row["prop_id"] for row in found}) == len(found) else None


def _is_row(row: object) -> bool:
    return (
        isinstance(row, dict)
        and isinstance(row.get("prop_id"), str)
        and row.get("status") in CLASSES
        and isinstance(row.get("repeats", []), list)
    )


def _variation(pinned: Mapping[str, Any] | None, varied: Mapping[str, Any] | None) -> str:
    ours, theirs = ((one or {}).get("pins") for one in (pinned, varied))
    if not isinstance(ours, dict) or not isinstance(theirs, dict):
        return "other pins"
    return ", ".join(f"{key}={value}" for key, value in theirs.items() if ours.get(key) != value)


def run_of_results(results: Iterable[TestResult], place: str, wrongs: tuple[str, ...] = ()) -> Run:
    """
    Take a report that came without evidence for a run: its outcomes are known, its runner is not.
    """
    rows = tuple(
        {
            "prop_id": one.nodeid,
            "status": _CLASS_OF.get(one.outcome, InventoryClass.PROTOCOL_ERROR).value,
            "detail": one.message,
        }
        for one in results
    )
    return Run(place=place, rows=rows, wrongs=wrongs)
