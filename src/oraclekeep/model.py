"""
The nouns that cross module borders, all frozen.  Imports nothing of ours.

Paths are strings relative to the repository's root in POSIX form; names that are not UTF-8 carry surrogate
escapes.  Commits are full hashes.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Mapping


class RowKind(enum.StrEnum):
    """
    What a row of the decision table does to the verdict.
    """

    NOTE = "note"
    CREDIT = "credit"
    NEGATIVE = "negative"
    UNDEFINED = "undefined"


class PatchKind(enum.StrEnum):
    """
    Whose paths the patch touches.
    """

    AGENT = "agent"
    OWNER = "owner"
    MIXED = "mixed"
    EMPTY = "empty"


class State(enum.StrEnum):
    """
    Undefined beats negative beats ok.
    """

    OK = "ok"
    NEGATIVE = "negative"
    UNDEFINED = "undefined"


@dataclass(frozen=True, slots=True)
class Entry:
    """
    One path of a tree: its mode (`100644`, `100755`, `120000`, `160000`) and blob id.
    """

    mode: str
    oid: str

    @property
    def is_link(self) -> bool:
        return self.mode == "120000"

    @property
    def is_submodule(self) -> bool:
        return self.mode == "160000"


@dataclass(frozen=True, slots=True, order=True)
class Delta:
    """
    One changed path.  ``old`` is None for an added path, ``new`` for a deleted one; renames are not paired.
    """

    path: str
    old: Entry | None = field(compare=False)
    new: Entry | None = field(compare=False)

    @property
    def added(self) -> bool:
        return self.old is None

    @property
    def deleted(self) -> bool:
        return self.new is None

    @property
    def same_bytes(self) -> bool:
        return self.old is not None and self.new is not None and self.old.oid == self.new.oid


class Snapshot(Protocol):
    """
    One side of the patch, read from Git and never from the working copy.
    """

    @property
    def commit(self) -> str: ...

    def entry(self, path: str) -> Entry | None:
        """
        Return the path's mode and blob id, or None where the tree has no such file.
        """

    def read(self, path: str) -> bytes | None:
        """
        Return the blob's bytes (a link's target text), or None where there is no such file.
        """

    def under(self, folder: str) -> Mapping[str, Entry]:
        """
        Return every file below the folder, sorted by path; an empty folder name means the whole tree.
        """


@dataclass(frozen=True, slots=True, order=True)
class Finding:
    """
    One place where the patch changed what can fail, before it has a price.

    Sorts by place, so that two runs print the same report.  ``units`` is how many times the row's weight it
    costs; ``test`` is a nodeid, a property id, or empty.
    """

    path: str
    line: int
    row: str  # id of the decision-table row
    test: str = ""
    message: str = ""  # one sentence: how the suite can fail less
    advice: str = ""  # one sentence: what to do next
    before: str | None = field(default=None, compare=False)
    after: str | None = field(default=None, compare=False)
    units: int = 1


@dataclass(frozen=True, slots=True)
class Charge:
    """
    A finding with its price: ``points`` is negative for a loss, positive for a credit.
    """

    finding: Finding
    points: int
    kind: RowKind  # after weights of 0 and allowances, not as the table has it
    allowed_by: str = ""  # the allowance of base that turned it into a note


@dataclass(frozen=True, slots=True)
class Spend:
    """
    What the static scorer says about a patch.
    """

    state: State
    score: int | None
    credit: int
    debit: int
    charges: tuple[Charge, ...]
    counts: Mapping[str, int]

    @property
    def rejects(self) -> bool:
        return self.state is not State.OK or self.score is None or self.score < 0


# ------------------------------------------------------------------------------------------------ policy


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


# ------------------------------------------------------------------------------------------------- lanes


class Outcome(enum.StrEnum):
    """
    What became of one test; only `passed` is a pass.
    """

    PASSED = "passed"
    FAILED = "failed"
    ERROR = "error"
    SKIPPED = "skipped"
    XFAILED = "xfailed"
    XPASSED = "xpassed"
    FLAKY = "flaky"  # several records of one nodeid that disagree, or a pass after a rerun
    UNKNOWN = "unknown"  # a record that says nothing the reader understands; never a pass


class InventoryClass(enum.StrEnum):
    """
    The class of one property (SPEC §5.3).
    """

    PASS = "pass"
    INVARIANT_MISS = "invariant_miss"
    NOISE = "noise"
    FIXTURE_DRIFT = "fixture_drift"
    PROTOCOL_ERROR = "protocol_error"
    FROZEN = "frozen"


@dataclass(frozen=True, slots=True)
class TestResult:
    """
    One nodeid of one lane after all its records were merged, the worst one kept.
    """

    __test__ = False  # pytest would take the name for a test class

    nodeid: str
    outcome: Outcome
    message: str = ""
    seconds: float | None = None
    records: int = 1
    phase: str = ""  # setup, call, teardown, collection, or empty


@dataclass(frozen=True, slots=True)
class Lane:
    """
    One lane as the verdict sees it: its results and everything wrong with its report.

    ``blocking`` holds findings of the rows that this lane raises (`suite-red`, `protocol-error`, …).
    """

    name: str
    klass: str  # green, red, missing, tainted, protocol-error, skipped, optional-missing
    results: tuple[TestResult, ...] = ()
    blocking: tuple[Finding, ...] = ()
    notes: tuple[Finding, ...] = ()
    remarks: tuple[str, ...] = ()  # about the run itself; they belong to no row and decide nothing
    required: bool = False
    seconds: float | None = None
    frozen: int = 0
