"""
The human-owned files as values (SPEC §3).  Imports nothing of ours.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class Weights:
    """
    `oracle/weights.json`.
    """

    assert_removed: int = 1
    property_added: int = 2
    skip_outside_quarantine: int = 99
    fixture_drift: int = 99
    assert_weakened: int = 1
    expectation_rewritten: int = 1


@dataclass(frozen=True, slots=True)
class Intended:
    """
    One entry of `allow_behavior_change`: a file, or a folder ending in `/`.
    """

    path: str
    issue: str = ""
    expires: dt.date | None = None
    line: int = 0


@dataclass(frozen=True, slots=True)
class Allowance:
    """
    A human's leave for one row on one nodeid, property, or path.
    """

    row: str
    issue: str
    reason: str
    expires: dt.date
    nodeid: str = ""
    path: str = ""
    property: str = ""
    line: int = 0


@dataclass(frozen=True, slots=True)
class FixtureNote:
    """
    A human's note that frozen bytes may become exactly ``digest``; one of ``tree`` and ``path`` is set.
    """

    digest: str
    reason: str
    tree: str = ""
    path: str = ""
    line: int = 0


@dataclass(frozen=True, slots=True)
class Intent:
    """
    `oracle/intent.json`.
    """

    allow_behavior_change: tuple[Intended, ...] = ()
    debit_cap: int = 3
    allowances: tuple[Allowance, ...] = ()
    fixture_changes: tuple[FixtureNote, ...] = ()


@dataclass(frozen=True, slots=True)
class Quarantined:
    """
    One row of `oracle/quarantine.json`; it covers one exact nodeid until its date.
    """

    nodeid: str
    issue: str
    expires: dt.date
    reason: str
    points: int = 1
    owner: str = ""
    line: int = 0


@dataclass(frozen=True, slots=True)
class CheckCall:
    """
    One entry of a property's `checks`: a name with its parameters.
    """

    name: str
    parameters: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Property:
    """
    One property of `invariants/inventory.yaml`: one function, one seed, one frozen fixture, named checks.
    """

    id: str
    module: str
    fn: str
    seed: int
    checks: tuple[CheckCall, ...]
    fixture: str = ""
    note: str = ""
    clock: str = ""
    timeout: float = 60.0
    strategy: str = ""
    examples: int = 0
    pending: bool = False
    line: int = 0


@dataclass(frozen=True, slots=True)
class Freeze:
    """
    An exception for one triple (property id, seed, sha256 of the fixture) until its date.
    """

    property_id: str
    seed: int
    fixture: str
    fixture_sha256: str
    reason: str
    expires_on: dt.date
    points: int = 1
    repeats: tuple[str, ...] = ()
    line: int = 0


@dataclass(frozen=True, slots=True)
class Inventory:
    """
    `invariants/inventory.yaml`.
    """

    properties: tuple[Property, ...] = ()
    freezes: tuple[Freeze, ...] = ()


@dataclass(frozen=True, slots=True)
class FileLock:
    """
    One entry of `invariants/fixture.lock.json`; ``canonical`` is empty or `json`.
    """

    sha256: str
    canonical: str = ""


@dataclass(frozen=True, slots=True)
class LaneSettings:
    """
    What `gate.yaml` says of one lane; ``required`` None means the default of SPEC §3.
    """

    required: bool | None = None
    timeout: float = 1800.0
    command: tuple[str, ...] = ()
    env: Mapping[str, str] = field(default_factory=dict)
    setup: tuple[str, ...] = ()
    shards: tuple[str, ...] = ()  # the axis (Python, OS): each of them must have run


@dataclass(frozen=True, slots=True)
class GateSettings:
    """
    `oracle/gate.yaml`.
    """

    mode: str = "enforce"
    source: tuple[str, ...] = ()
    tests: tuple[str, ...] = ()
    test_files: tuple[str, ...] = ()
    fixtures: tuple[str, ...] = ()
    additions: str = "drift"
    packages: tuple[str, ...] = ()
    human_owned: tuple[str, ...] = ()
    owners: str = "forge"
    plugins: tuple[str, ...] = ()
    lanes: Mapping[str, LaneSettings] = field(default_factory=dict)
    witness: str = "optional"
    repeats: int = 2
    max_exception_days: int = 365
    specimens_red: str = "block"
    specimens_proof: str = "report"
    power: str = "off"
    proposer: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Policy:
    """
    Every human-owned file as one value, read from one tree.
    """

    adopted: bool = False  # the tree has an `oracle/`
    weights: Weights = field(default_factory=Weights)
    intent: Intent = field(default_factory=Intent)
    tree_locks: Mapping[str, str] = field(default_factory=dict)  # tree -> sha256
    file_locks: Mapping[str, FileLock] = field(default_factory=dict)
    quarantine: tuple[Quarantined, ...] = ()
    inventory: Inventory = field(default_factory=Inventory)
    has_properties: bool = False  # a test file stands under oracle/properties/
    settings: GateSettings = field(default_factory=GateSettings)
