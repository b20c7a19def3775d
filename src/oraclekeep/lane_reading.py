"""
One report of one lane compared with its evidence: tests, stream, canaries, and how the run ended.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from oraclekeep import nodeids
from oraclekeep.evidence import strangers
from oraclekeep.model import Finding, Outcome, TestResult
from oraclekeep.outcomes import RED, Record, by_name, result

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from oraclekeep.evidence import Evidence, Shard

INVENTORY_LANES: Final = ("inventory", "proposed", "witness")
#: The shard in which the `proposed` lane runs head's pytest properties, beside head's inventory.
PROPOSED_TESTS: Final = "properties"
_INVENTORY_ROWS: Final[Mapping[object, str]] = {
    "invariant_miss": "invariant-miss",
    "noise": "noise",
    "fixture_drift": "fixture-drift",
}
_CALM: Final = frozenset({"pass", "frozen"})
_INVENTORY_OUTCOMES: Final[Mapping[object, Outcome]] = {"pass": Outcome.PASSED, "frozen": Outcome.SKIPPED}
ADVICE: Final = {
    "suite-red": "make the test pass by changing the product, not the test",
    "specimen-red": "the patch brings this test: make the product do what it says",
    "property-red": "a human-owned property fails: mend the product",
    "behaviour-drift": (
        "base's own test fails on the patched code: keep the behaviour, "
        "or have the owner list the module in allow_behavior_change"
    ),
    "protocol-error": (
        "run the lane again from a fresh `nox -s prepare`; if it stays, something interferes with the run"
    ),
    "tainted-lane": "find the hook, plugin or patch that turns red into green and remove it",
    "invariant-miss": "the pinned seed fails in every repeat: mend the product",
    "noise": "the owner freezes the triple or fixes the seed",
    "environment-drift": (
        "pin what the property depends on, or have the owner freeze the triple until it is found"
    ),
    "fixture-drift": "restore the fixture's bytes, or have the owner announce the new digest",
}  # fmt: skip
_PLUGINS: Final = "oracle/gate.yaml lists under `plugins:` those that a lane needs"
_SHOWN: Final = 3  # names in one sentence


def wrong(lane: str, message: str, *, row: str = "protocol-error", place: str = "", line: int = 0) -> Finding:
    path = place or f".gate/junit/{lane}.xml"
    return Finding(path=path, line=line, row=row, message=f"{lane}: {message}", advice=ADVICE[row])


def _some(names: Sequence[str]) -> str:
    more = len(names) - _SHOWN
    return ", ".join(names[:_SHOWN]) + (f" and {more} more" if more > 0 else "")


class Reading:
    """
    One shard compared with its evidence.
    """

    def __init__(self, lane: str, run: Mapping[str, Any], shard: Shard) -> None:
        self._lane, self._shard = lane, shard
        self._settings: Mapping[str, Any] = run["lanes"][lane]
        self._today = dt.date.fromisoformat(run["today"])
        self.blocking: list[Finding] = []
        self.notes: list[Finding] = []
        self.remarks: list[str] = []
        self.results: list[TestResult] = []
        self.frozen = 0
        for message in shard.problems:
            self._block(message)
        for problem in shard.report.problems if shard.report is not None else ():
            self._block(problem.message, line=problem.line)
        if shard.evidence is None:
            return
        for reason in strangers(shard.evidence, run, lane):
            self._block(reason)
        self._read(shard.evidence)

    def _block(self, message: str, *, row: str = "protocol-error", line: int = 0) -> None:
        self.blocking.append(wrong(self._lane, message, row=row, place=self._shard.place, line=line))

    def _read(self, evidence: Evidence) -> None:
        report = self._shard.report
        records = report.records if report is not None and report.readable else ()
        self._read_end(evidence)
        if self._lane in INVENTORY_LANES and evidence.shard != PROPOSED_TESTS:
            self._read_inventory(evidence, records)
            return
        if evidence.custom_command:
            self.results = list(by_name(records))
            self.remarks.append(
                "the lane runs a command of its own: no stream and no canaries vouch for its report"
            )
        else:
            self._read_tests(evidence, records)
            self._read_canaries(evidence)
            self._read_plugins(evidence)
        self._read_exit(evidence)

    # ------------------------------------------------------------------------------------- pytest lanes

    def _read_tests(self, evidence: Evidence, records: Sequence[Record]) -> None:
        index = nodeids.index(evidence.collected)
        for one, two in index.ambiguous:
            self._block(f"{one} and {two} have one name in the report, so neither can be told")
        groups: dict[str, list[Record]] = {}
        ghosts: list[str] = []
        for record in records:
            nodeid = index.nodeids.get((record.classname, record.name))
            if nodeid is not None:
                groups.setdefault(nodeid, []).append(record)
            elif record.kind != "collection":
                ghosts.append(
                    "::".join(part for part in (record.classname, record.name) if part) or "(nameless)"
                )
        if ghosts:
            self._block(f"the report names tests that were never collected: {_some(ghosts)}")
        self.results += [result(nodeid, found) for nodeid, found in groups.items()]
        self._read_uncollected(evidence, records)
        self._compare_with_stream(evidence, bool(records) or self._shard.report is not None)
        unstable = [nodeid for nodeid in evidence.collected if nodeids.is_made_up(nodeid, self._today)]
        if unstable:
            self.remarks.append(
                f"ids with addresses, times or a set's order differ in each run; give ids=: {_some(unstable)}"
            )

    def _read_uncollected(self, evidence: Evidence, records: Sequence[Record]) -> None:
        """
        A module that could not be imported is red, and so is one that the report alone calls so.
        """
        told = {
            nodeids.pair_of(nodeid): (nodeid, outcome) for nodeid, outcome in evidence.uncollected.items()
        }
        for record in records:
            if record.kind != "collection":
                continue
            nodeid, outcome = told.pop((record.classname, record.name), ("", ""))
            if (outcome == "failed") != (record.outcome is Outcome.ERROR):
                self._block(f"report and stream disagree on whether {record.name} could be collected")
            self.results.append(result(nodeid or record.name, [record]))
        for nodeid, _ in told.values():
            self._block(f"{nodeid} could not be collected, and the report does not say so")

    def _compare_with_stream(self, evidence: Evidence, has_report: bool) -> None:  # noqa: FBT001  # one caller
        for contradiction in evidence.contradictions:
            self._block(contradiction)
        found = {one.nodeid: one for one in self.results}
        disagree = [
            f"{nodeid} ({found[nodeid].outcome} in the report, {outcome} when it ran)"
            for nodeid, outcome in evidence.stream.items()
            if nodeid in found and _sort(found[nodeid].outcome) != _sort(outcome)
        ]
        if disagree:
            self._block(f"report and stream disagree: {_some(disagree)}")
        unseen = [
            one.nodeid
            for one in self.results
            if one.phase != "collection" and one.nodeid not in evidence.stream
        ]
        if unseen:
            self._block(f"the report has results of tests that nobody saw run: {_some(unseen)}")
        silent = [nodeid for nodeid in evidence.collected if nodeid not in found]
        if silent and has_report and not self._was_cut_by_collection(evidence):
            self._block(f"{len(silent)} collected tests left no result: {_some(silent)}")
        self.results = [self._refined(one, evidence) for one in self.results]

    def _refined(self, one: TestResult, evidence: Evidence) -> TestResult:
        streamed = evidence.stream.get(one.nodeid)
        if one.outcome is Outcome.PASSED and streamed in (Outcome.XPASSED, Outcome.FLAKY):
            return replace(one, outcome=streamed)
        return one

    def _was_cut_by_collection(self, evidence: Evidence) -> bool:
        return "failed" in evidence.uncollected.values() and any(
            one.outcome is Outcome.ERROR for one in self.results
        )

    def _read_canaries(self, evidence: Evidence) -> None:
        alive = [
            f"{nodeid} ({outcome})" for nodeid, outcome in evidence.canaries.items() if outcome != "failed"
        ]
        nothing_ran = not evidence.stream and self._was_cut_by_collection(evidence)
        if alive and evidence.ended == "finished" and not nothing_ran:
            self._block(
                f"{len(alive)} of {len(evidence.canaries)} checks that must fail did not: {_some(alive)}",
                row="tainted-lane",
            )
        if not evidence.canaries and evidence.collected:
            self._block(
                "no check that must fail was planted, so nothing shows that this lane can turn red",
                row="tainted-lane",
            )

    def _read_end(self, evidence: Evidence) -> None:
        if evidence.internal_error:
            self._block(f"pytest failed inside: {evidence.internal_error.strip().splitlines()[-1][:200]}")
        if evidence.extra:
            self._block(
                f"the lane was run by hand with more arguments ({' '.join(evidence.extra)}); run it without"
            )
        if evidence.deselected:
            self.remarks.append(
                f"{len(evidence.deselected)} tests were deselected: {_some(evidence.deselected)}"
            )

    def _read_plugins(self, evidence: Evidence) -> None:
        """
        A plugin that was not loaded is worth a word where not all is well: a test may have needed it.
        """
        well = all(one.outcome is Outcome.PASSED for one in self.results) and not evidence.uncollected
        if evidence.unlisted_plugins and not well:
            names = ", ".join(evidence.unlisted_plugins)
            self.remarks.append(f"pytest plugins that are installed and were not loaded: {names}; {_PLUGINS}")

    def _read_exit(self, evidence: Evidence) -> None:
        code = evidence.exit_code
        red = any(one.outcome in RED for one in self.results)
        if code == 4 and not evidence.custom_command:
            names = ", ".join(evidence.unlisted_plugins)
            missing = f"; not loaded: {names}" if names else ""
            what = "pytest refused its arguments, a conftest, or the path of the tests (exit 4)"
            self._block(f"{what}{missing}; {_PLUGINS}")
        elif evidence.ended != "finished":
            how = {"timeout": "ran into its timeout", "killed": "was killed"}.get(
                evidence.ended, "ended in mid-run"
            )
            self._block(f"the run {how} (exit {code})")
        elif (code == 0) == (red or bool(evidence.canaries)):
            failed = "failed" if red or evidence.canaries else "passed"
            self._block(f"the process exited with {code}, yet its tests {failed}")
        elif code not in (0, 1) and not evidence.custom_command and not self._was_cut_by_collection(evidence):
            self._block(f"pytest exited with {code}")

    # ---------------------------------------------------------------------------------- inventory lanes

    def _read_inventory(self, evidence: Evidence, records: Sequence[Record]) -> None:
        rows = None if evidence.inventory is None else evidence.inventory.get("properties")
        if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
            self._block("the evidence holds no inventory with a list of properties")
            return
        names = {nodeids.as_text(str(row.get("prop_id"))) for row in rows}
        reported = {record.name: record.outcome for record in records}
        if self._shard.report is not None and names != reported.keys():
            self._block(
                f"report and evidence name different properties: {_some(sorted(names ^ reported.keys()))}"
            )
        due = self._settings.get("properties")
        if due is not None and sorted(due) != sorted(str(row.get("prop_id")) for row in rows):
            odd = sorted(set(due) ^ {str(row.get("prop_id")) for row in rows})
            self._block(f"the evidence has not exactly the inventory's properties: {_some(odd or due)}")
        for row in rows:
            self._read_property(row, reported)
        if evidence.ended != "finished" or (evidence.exit_code == 0 and self.blocking):
            self._block(f"the run {evidence.ended} with exit {evidence.exit_code}, which its results deny")
        alive = [name for name, outcome in evidence.canaries.items() if outcome != "failed"]
        if alive:
            self._block(f"a check that must fail did not: {_some(alive)}", row="tainted-lane")
        # What can't run can't show that it can fail; it blocks by itself.
        votes = {row.get("status") for row in rows if row.get("votes") is not False}
        if not evidence.canaries and "pass" in votes and "protocol_error" not in votes:
            self._block("no check that must fail was planted among the properties", row="tainted-lane")

    def _read_property(self, row: Mapping[str, Any], reported: Mapping[str, Outcome]) -> None:
        ident, status = str(row.get("prop_id", "")), row.get("status")
        detail = str(row.get("detail", ""))
        if status == "frozen":
            self.frozen += 1
        outcome = _INVENTORY_OUTCOMES.get(status, Outcome.FAILED)
        self.results.append(TestResult(ident, outcome, f"frozen: {detail}" if status == "frozen" else detail))
        if status in _CALM:
            if reported.get(nodeids.as_text(ident)) in RED:
                self._block(f"{ident} is {status} in the evidence and red in the report")
            return
        known = _INVENTORY_ROWS.get(status, "protocol-error")
        path = str(row.get("fixture", "")) if known == "fixture-drift" else "invariants/inventory.yaml"
        message = f"{self._lane}: {detail or status}"
        finding = Finding(path=path, line=0, row=known, test=ident, message=message, advice=ADVICE[known])
        if self._lane == "witness":
            return  # it is compared with the main run and never votes itself
        if row.get("votes") is False:
            self.notes.append(
                replace(finding, message=f"{message} (pending: it does not vote yet)", advice="")
            )
        else:
            self.blocking.append(finding)


def _sort(outcome: Outcome) -> str:
    if outcome in (Outcome.FAILED, Outcome.ERROR):
        return "red"
    if outcome in (Outcome.SKIPPED, Outcome.XFAILED):
        return "skipped"
    # A report can't show an xpass, nor a rerun that left one record.
    return "unknown" if outcome is Outcome.UNKNOWN else "passed"
