"""
The decision table (SPEC §2) as data: rules, reports, the docs page and `explain` all iterate it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from oraclekeep.model import RowKind


@dataclass(frozen=True, slots=True)
class Row:
    """
    One row.  ``weight`` is a key of `oracle/weights.json`, or empty where the row costs nothing.
    """

    id: str
    kind: RowKind
    weight: str
    observed: str

    @property
    def switchable(self) -> bool:
        """
        A weight of 0 turns only its namesake into a note (SPEC §2).
        """
        return (self.weight, self.id) in _NAMESAKES


def _rows(*rows: Row) -> dict[str, Row]:
    return {row.id: row for row in rows}


_NOTE, _CREDIT, _NEGATIVE, _UNDEFINED = RowKind.NOTE, RowKind.CREDIT, RowKind.NEGATIVE, RowKind.UNDEFINED
_SKIP: Final = "skip_outside_quarantine"
#: (key of weights.json, the row named like it).
_NAMESAKES: Final = frozenset(
    {
        ("assert_removed", "oracle-removed"),
        ("assert_weakened", "oracle-weakened"),
        ("expectation_rewritten", "expectation-rewritten"),
        ("skip_outside_quarantine", "skip-outside-quarantine"),
        ("property_added", "property-added"),
    }
)

#: Notes that a reader must see before any other finding.
FIRST: Final = ("policy-loosened", "adoption")

ROWS: Final[dict[str, Row]] = _rows(
    Row(
        "policy-loosened",
        _NOTE,
        "",
        "an owner patch lowers a weight, raises the cap, shortens the human-owned list, "
        "makes a lane or the witness optional, or adds an allowance",
    ),
    Row(
        "adoption",
        _NOTE,
        "",
        "base has no `oracle/`: head's policy is validated and run; the patch is scored with the defaults",
    ),
    Row(
        "oracle-removed",
        _NEGATIVE,
        "assert_removed",
        "a check in agent-writable tests is gone and not found elsewhere in them",
    ),
    Row("oracle-weakened", _NEGATIVE, "assert_weakened", "a check still stands but can fail in fewer ways"),
    Row(
        "expectation-rewritten",
        _NEGATIVE,
        "expectation_rewritten",
        "an expected value, or the input it belongs to, changed, and "
        "not every changed production module is listed in `allow_behavior_change`",
    ),
    Row(
        "test-lost",
        _NEGATIVE,
        "assert_removed",
        "a test is deleted, renamed out of collection, shadowed by a later definition, "
        "or loses parametrized cases or generated examples",
    ),
    Row(
        "test-unparsable",
        _NEGATIVE,
        "assert_removed",
        "a test file that parsed at base does not parse at head",
    ),
    Row(
        "skip-outside-quarantine",
        _NEGATIVE,
        _SKIP,
        "a skip of any kind was put on a test that existed, outside the ledger",
    ),
    Row(
        "errors-swallowed",
        _NEGATIVE,
        "assert_removed",
        "a broad monkeypatch, `try/except`, `suppress`, decorator or autouse fixture now hides failures",
    ),
    Row(
        "collection-tampered",
        _NEGATIVE,
        _SKIP,
        "pytest configuration, hooks, plugins, exit calls or environment "
        "now make the run collect, run or report less",
    ),
    Row(
        "test-special-cased",
        _NEGATIVE,
        _SKIP,
        "production code now asks whether it is under test, "
        "looks the suite's inputs up in a table of their answers, or compares equal to everything",
    ),
    Row(
        "machinery-weakened",
        _NEGATIVE,
        _SKIP,
        "CI or gate machinery now ignores or narrows failures",
    ),
    Row(
        "write-set",
        _NEGATIVE,
        _SKIP,
        "a mixed patch: human-owned paths or frozen inputs together with agent-writable ones",
    ),
    Row(
        "owner-unproven",
        _NEGATIVE,
        _SKIP,
        "an owner patch without the proof that `owners:` asks for",
    ),
    Row(
        "property-removed",
        _NEGATIVE,
        "property_added",
        "an owner patch removes, empties or weakens a property or an inventory check without an allowance",
    ),
    Row(
        "quarantine-invalid",
        _NEGATIVE,
        _SKIP,
        "a ledger row that the patch adds or changes lacks issue, reason or a valid date, "
        "is a glob, a duplicate, names nothing, or lies beyond the horizon",
    ),
    Row(
        "quarantine-expired",
        _NEGATIVE,
        _SKIP,
        "a quarantine row that the patch adds or changes is past its date",
    ),
    Row("freeze-expired", _NEGATIVE, _SKIP, "a freeze that the patch adds or changes is past its date"),
    Row("overdrawn", _NEGATIVE, "", "quarantine points and freeze points together exceed `debit_cap`"),
    Row("power-lost", _NEGATIVE, "assert_weakened", "measured power fell and `power: block`"),
    Row(
        "fixture-drift",
        _UNDEFINED,
        "",
        "frozen bytes changed, and neither the lock nor a note at base knows the new digest",
    ),
    Row("lock-without-intent", _UNDEFINED, "", "a lock changed with no matching human note"),
    Row("lock-stale", _UNDEFINED, "", "bytes at base match neither the lock nor a note"),
    Row("suite-red", _UNDEFINED, "", "a test of the suite lane failed"),
    Row("specimen-red", _UNDEFINED, "", "a test that arrives or changes with the patch failed"),
    Row("property-red", _UNDEFINED, "", "a property failed"),
    Row(
        "behaviour-drift",
        _UNDEFINED,
        "",
        "a base test fails on the patched code, and "
        "not every changed production module is listed in `allow_behavior_change`",
    ),
    Row("invariant-miss", _UNDEFINED, "", "pinned seed, same digest, red in every repeat"),
    Row("noise", _UNDEFINED, "", "pinned seed, same digest, red then green"),
    Row(
        "environment-drift",
        _UNDEFINED,
        "",
        "each runner is steady, the two disagree, their environments differ",
    ),
    Row(
        "protocol-error",
        _UNDEFINED,
        "",
        "the runner, not the product, is wrong: unpinned randomness, a live clock, "
        "a missing lane, a stale, forged or contradictory result",
    ),
    Row("tainted-lane", _UNDEFINED, "", "a canary did not fail"),
    Row("witness-missing", _UNDEFINED, "", "`witness: required` and none"),
    Row(
        "property-added",
        _CREDIT,
        "property_added",
        "a property with at least one oracle appears under `oracle/properties/` "
        "or in the inventory, in an owner patch",
    ),
    Row("oracle-added", _NOTE, "", "checks were added or strengthened"),
    Row("skip-removed", _NOTE, "", "skips were removed"),
    Row(
        "oracle-retired",
        _NOTE,
        "",
        "a check whose subject was deleted in the same patch, in a module listed in `allow_behavior_change`",
    ),
    Row("production-only", _NOTE, "", "no test, frozen input or human-owned file changed"),
    Row("specimen-skipped", _NOTE, "", "a new test arrives with a skip"),
    Row(
        "fixture-announced",
        _NOTE,
        "",
        "frozen bytes changed to exactly a digest that `fixture_changes` at base announces",
    ),
    Row("fixture-updated", _NOTE, "", "an owner patch changes frozen bytes, lock and note together"),
    Row("quarantine-added", _NOTE, "", "an owner patch adds a valid ledger row"),
    Row(
        "ledger-lapsed",
        _NOTE,
        "",
        "a ledger row of base has passed its date or names nothing any more: it covers nothing",
    ),
    Row("untrusted-proposal", _NOTE, "", "a candidate under `invariants/proposed/`: no vote, queued"),
    Row("unproven-specimen", _NOTE, "", "a new test in the patch already passes on base's production code"),
    Row("dead-property", _NOTE, "", "a property that no known fault turns red though faults for it exist"),
)
