"""
From the records of a JUnit file to one result per test: the worst record stands.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from oraclekeep.model import Outcome, TestResult

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

#: Worst first; of several verdicts on one test the first in this order stands.
WORST: Final = (
    Outcome.FAILED, Outcome.ERROR, Outcome.UNKNOWN, Outcome.FLAKY, Outcome.XPASSED, Outcome.SKIPPED,
    Outcome.XFAILED, Outcome.PASSED,
)  # fmt: skip
RED: Final = frozenset({Outcome.FAILED, Outcome.ERROR, Outcome.FLAKY, Outcome.UNKNOWN})


@dataclass(frozen=True, slots=True)
class Record:
    """
    One testcase element.  ``kind`` is `xpass-strict`, `collection`, `internal`, or empty.
    """

    classname: str
    name: str
    outcome: Outcome
    message: str = ""
    seconds: float | None = None
    phase: str = ""
    kind: str = ""
    line: int = 0


def merge(records: Sequence[Record]) -> Outcome:
    """
    Return what several records of one test come to: the worst wins, and a pass that needed several is flaky.
    """
    outcomes = {record.outcome for record in records}
    worst = next(outcome for outcome in WORST if outcome in outcomes)
    if len(records) > 1 and (Outcome.PASSED in outcomes or len(outcomes) > 1) and worst not in RED:
        return Outcome.FLAKY
    return worst


def result(nodeid: str, records: Sequence[Record]) -> TestResult:
    """
    Join all records of one test.
    """
    outcome = merge(records)
    spoken = [record for record in records if record.outcome is outcome] or list(records)
    messages = [record.message for record in spoken if record.message]
    if len(records) > 1:
        messages.append(f"repeated records: {len(records)}")
    known = [record.seconds for record in records if record.seconds is not None]
    return TestResult(
        nodeid=nodeid,
        outcome=outcome,
        message="\n".join(messages),
        seconds=sum(known) if known else None,
        records=len(records),
        phase=next((record.phase for record in spoken if record.phase), ""),
    )


def merge_results(results: Iterable[TestResult]) -> tuple[TestResult, ...]:
    """
    Join the results of several shards: each test once, the worst of its outcomes kept.
    """
    worst: dict[str, TestResult] = {}
    for one in results:
        known = worst.get(one.nodeid)
        if known is None or WORST.index(one.outcome) < WORST.index(known.outcome):
            worst[one.nodeid] = one
    return tuple(worst.values())


def by_name(records: Iterable[Record]) -> tuple[TestResult, ...]:
    """
    Group records by what the file itself calls them, for files that come without a list of collected tests.
    """
    groups: dict[str, list[Record]] = {}
    for record in records:
        label = "::".join(part for part in (record.classname, record.name) if part)
        groups.setdefault(label or f"(nameless testcase in line {record.line})", []).append(record)
    return tuple(result(label, group) for label, group in groups.items())
