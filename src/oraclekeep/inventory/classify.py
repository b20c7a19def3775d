"""
Comparing two runs of the inventory; the table itself is in `lanekit.inventory_classes`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from oraclekeep.lanekit import inventory_classes
from oraclekeep.model import InventoryClass

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

CALM = frozenset({InventoryClass.PASS, InventoryClass.FROZEN})


@dataclass(frozen=True, slots=True)
class Compared:
    """
    One property of two runs.  ``first`` and ``second`` are classes, or `missing`.
    """

    prop_id: str
    status: InventoryClass
    first: str
    second: str
    detail: str

    @property
    def blocks(self) -> bool:
        return self.status not in CALM


def compare(first: Sequence[Mapping[str, Any]], second: Sequence[Mapping[str, Any]]) -> tuple[Compared, ...]:
    """
    Compare the rows of two runs property by property.
    """
    return tuple(
        Compared(row["prop_id"], InventoryClass(row["status"]), row["first"], row["second"], row["detail"])
        for row in inventory_classes.compare(first, second)
    )
