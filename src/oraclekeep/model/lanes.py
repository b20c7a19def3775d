"""
What lanes report, as the verdict sees it.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from oraclekeep.model.patch import Finding


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

    PASS = "pass"  # noqa: S105  # a class, not a secret
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
