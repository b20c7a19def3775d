"""
The nouns that cross module borders, all frozen.  Imports nothing else of ours.
"""

from __future__ import annotations

from oraclekeep.model.lanes import (
    InventoryClass,
    Lane,
    Outcome,
    TestResult,
)
from oraclekeep.model.patch import (
    Beside,
    Charge,
    Delta,
    Entry,
    Finding,
    PatchKind,
    PowerShift,
    RowKind,
    Snapshot,
    Spend,
    State,
)
from oraclekeep.model.policy import (
    Allowance,
    CheckCall,
    FileLock,
    FixtureNote,
    Freeze,
    GateSettings,
    Intended,
    Intent,
    Inventory,
    LaneSettings,
    Policy,
    Property,
    Quarantined,
    Weights,
)

__all__ = [
    "Allowance",
    "Beside",
    "Charge",
    "CheckCall",
    "Delta",
    "Entry",
    "FileLock",
    "Finding",
    "FixtureNote",
    "Freeze",
    "GateSettings",
    "Intended",
    "Intent",
    "Inventory",
    "InventoryClass",
    "Lane",
    "LaneSettings",
    "Outcome",
    "PatchKind",
    "Policy",
    "PowerShift",
    "Property",
    "Quarantined",
    "RowKind",
    "Snapshot",
    "Spend",
    "State",
    "TestResult",
    "Weights",
]
