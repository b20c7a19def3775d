"""
One lane's reports and evidence as the verdict sees them (SPEC §6.2 to §6.4).
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from oraclekeep.attestation import signed
from oraclekeep.evidence import find_shards
from oraclekeep.junit import read_junit
from oraclekeep.lane_reading import ADVICE, INVENTORY_LANES, PROPOSED_TESTS, Reading, wrong
from oraclekeep.model import Finding, Lane, Outcome, PatchKind, TestResult
from oraclekeep.nodeids import function_of
from oraclekeep.outcomes import RED, by_name, merge_results
from oraclekeep.replays import run_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from oraclekeep.evidence import Shard
    from oraclekeep.replays import Run

#: Lanes whose tests inform and never block; the suite runs the same tests where they count.
QUIET_LANES: Final = ("specimens",)
#: Of a test that fails although the patch, an owner's or an adoption, changes nothing that it could ask.
_NO_CODE: Final = (
    "most likely the test failed before, or its lane lacks something: what lanes install stands in the "
    "noxfile, their plugins and setup in oracle/gate.yaml"
)
_RED_ROW: Final = {
    "properties": "property-red",
    "inventory": "invariant-miss",  # of a report without evidence, which has no classes
    "proposed": "property-red",
    "characterization": "behaviour-drift",
}


def read_lane(name: str, run: Mapping[str, Any], gate: Path, reports: Sequence[Path] | None = None) -> Lane:
    """
    Read everything a lane left and say what is wrong with it.

    ``reports`` replaces what lies under `.gate/junit/`; evidence is wanted for each all the same.

    An optional lane may be absent, and its red tests and properties are told and block nothing (SPEC §2 asks
    only required lanes for an outcome).  What it leaves must be true all the same: a report that is forged,
    stale or contradictory, and a canary that lived, say that something meddles with runs, and block whichever
    lane they are seen in.  The tests of `specimens` run where they ought to fail, perhaps with the whole run:
    all of that is told only, unless `specimens: {proof: required}` makes the lane a required one.
    """
    settings: Mapping[str, Any] = run["lanes"][name]
    required = settings.get("required") is True
    shards = find_shards(name, gate, reports)
    if not shards:
        return _absent(name, required=required)
    reading = [Reading(name, run, shard) for shard in shards]
    blocking = [finding for one in reading for finding in one.blocking]
    notes = [finding for one in reading for finding in one.notes]
    remarks = dict.fromkeys(remark for one in reading for remark in one.remarks)
    results = merge_results(found for one in reading for found in one.results)
    unheard = [] if settings.get("empty_ok") else list(_unheard(name, settings, shards))
    (blocking if required else notes).extend(unheard)
    has_code = run.get("patch") != PatchKind.OWNER.value and not run.get("adoption")
    voting = _Votes(name, settings, has_code=has_code)
    blocking += voting.blocking(results)
    notes += voting.notes(results)
    if name == "proposed" and {"", PROPOSED_TESTS} - {one.evidence.shard for one in shards if one.evidence}:
        blocking.append(wrong(name, "inventory and properties of the proposal must both have run"))
    if not results and not blocking and not settings.get("empty_ok"):
        blocking.append(wrong(name, "the lane ran nothing", place=shards[0].place))
    klass = _class_of(blocking, results)
    if not required:
        told = [finding for finding in blocking if name in QUIET_LANES or not _meddles(finding)]
        notes, blocking = [*notes, *told], [finding for finding in blocking if finding not in told]
    known = [
        shard.evidence.seconds
        for shard in shards
        if shard.evidence is not None and shard.evidence.seconds is not None
    ]
    return Lane(
        name=name,
        klass=klass,
        results=results,
        blocking=tuple(sorted(set(blocking))),
        notes=tuple(sorted(set(notes))),
        remarks=tuple(remarks),
        required=required,
        seconds=sum(known) if known else None,
        frozen=sum(one.frozen for one in reading),
    )


def _unheard(name: str, settings: Mapping[str, Any], shards: Iterable[Shard]) -> Iterator[Finding]:
    """
    Yield the packages and shards of a lane of which there is nothing.

    Each shard that ran must have run every package; `shards:` in `gate.yaml` says which must have run.
    """
    heard = {(one.evidence.shard, one.evidence.package) for one in shards if one.evidence is not None}
    axes = sorted({shard for shard, _ in heard}.union(settings.get("shards", ())))
    packages = [part["folder"] for part in settings.get("packages", ())] or [""]
    for shard in axes:
        for package in packages:
            if (shard, package) not in heard:
                what = [f"package {package or '.'}"] if len(packages) > 1 else []
                what += [f"shard {shard}"] if shard else []
                who = ", ".join(what) or "the lane"
                yield wrong(name, f"nothing came from {who}: it was skipped, or died at once")
    if strange := sorted({package for _, package in heard}.difference(packages)):
        names = ", ".join(package or "." for package in strange)
        yield wrong(name, f"a report is of a package that this run does not have: {names}")


def _meddles(finding: Finding) -> bool:
    return finding.row in ("protocol-error", "tainted-lane") and not finding.test


def read_runs(
    name: str,
    run: Mapping[str, Any],
    gate: Path,
    reports: Sequence[Path] | None,
    signers: bytes | None = None,
) -> list[Run]:
    """
    Read what an inventory lane left as runs that can be compared, one per shard.

    A witness may be signed; ``signers`` are those of base.
    """
    found = []
    for shard in find_shards(name, gate, reports) if name in run["lanes"] else ():
        wrongs = [finding.message for finding in Reading(name, run, shard).blocking if not finding.test]
        one = run_of(shard.evidence, wrongs, shard.place)
        if name == "witness" and shard.source is not None and shard.evidence is not None:
            vouched = signed(shard.source, signers)
            doubts = (*one.doubts, *([vouched.doubt] if vouched.doubt else []))
            one = replace(one, signer=vouched.by, doubts=doubts)
        found.append(one)
    return found


def read_files(name: str, files: Sequence[tuple[str, bytes]]) -> Lane:
    """
    Read given reports for which no run is known: nothing but their own contents can be checked.
    """
    blocking: list[Finding] = []
    results: list[TestResult] = []
    for place, data in files:
        report = read_junit(data, place)
        blocking += [
            wrong(name, problem.message, place=place, line=problem.line) for problem in report.problems
        ]
        results += by_name(report.records) if report.readable else ()
    merged = merge_results(results)
    blocking += () if name == "witness" else _Votes(name, {}, has_classes=False).blocking(merged)
    if not merged and not blocking:
        blocking.append(wrong(name, "the lane ran nothing"))
    return Lane(
        name=name,
        klass=_class_of(blocking, merged),
        results=merged,
        blocking=tuple(sorted(set(blocking))),
        remarks=("given files without evidence: who wrote them is not known",),
        required=True,
    )


def missing_lane(name: str) -> Lane:
    """
    Return a required lane of which there is nothing at all.
    """
    return _absent(name, required=True)


def prove(lanes: Iterable[Lane]) -> tuple[Lane, ...]:
    """
    Tell in the `specimens` lane which new tests prove nothing; where the lane is required, that blocks.
    """
    lanes = tuple(lanes)
    found = tuple(unproven(lanes))
    return tuple(_unproven_in(lane, found) if lane.name == "specimens" and found else lane for lane in lanes)


def _unproven_in(lane: Lane, found: tuple[Finding, ...]) -> Lane:
    if lane.required:
        klass = "red" if lane.klass == "green" else lane.klass
        return replace(lane, klass=klass, blocking=(*lane.blocking, *found))
    return replace(lane, notes=(*lane.notes, *found))


def excuse_drift(lane: Lane, is_intended: Callable[[str], bool], unlisted: str) -> Lane:
    """
    Turn `behaviour-drift` into a note for tests whose expectations base's intent lets change.

    The rest say what intent does not list: ``unlisted`` is the subject and verb of that sentence.
    """
    blocking, notes = [], list(lane.notes)
    for finding in lane.blocking:
        if finding.row != "behaviour-drift":
            blocking.append(finding)
        elif is_intended(function_of(finding.test)):
            notes.append(replace(finding, message=f"{finding.message} (the owner allows it)", advice=""))
        else:
            blocking.append(replace(finding, message=f"{finding.message}; {unlisted} not listed as intended"))
    klass = _class_of(blocking, lane.results) if len(blocking) < len(lane.blocking) else lane.klass
    return replace(lane, klass=klass, blocking=tuple(blocking), notes=tuple(notes))


def unproven(lanes: Iterable[Lane]) -> Iterator[Finding]:
    """
    Yield the new tests that already pass on base's production code.

    The `specimens` lane runs whole files of the patch; what base's versions of them hold is not new.
    """
    known = {lane.name: lane for lane in lanes}
    specimens = known.get("specimens")
    if specimens is None:
        return
    old = {one.nodeid for one in known["characterization"].results} if "characterization" in known else set()
    for one in specimens.results:
        if one.outcome is Outcome.PASSED and one.nodeid not in old:
            yield Finding(
                path=one.nodeid.partition("::")[0],
                line=0,
                row="unproven-specimen",
                test=one.nodeid,
                message="the new test passes without the patch's production code",
                advice="make it fail on base, or say what else it protects",
            )


def _absent(name: str, *, required: bool) -> Lane:
    if not required:
        return Lane(name, "optional-missing")
    if name == "witness":
        row = Finding(
            "",
            0,
            "witness-missing",
            "",
            "a witness is required and none replayed the inventory",
            "run `nox -s witness` on the second runner",
        )
    elif name == "power":
        row = replace(
            wrong(name, "base asks to block on measured power, and this version of the kit measures none"),
            path="oracle/gate.yaml",
            advice="the owner sets `power: off` in oracle/gate.yaml",
        )
    else:
        what = "the required lane left neither report nor evidence: it was skipped, or died at once"
        row = replace(
            wrong(name, what),
            advice=f"see what `nox -s {name}` says: most often its environment could not be installed",
        )
    return Lane(name, "missing", blocking=(row,), required=True)


def _class_of(blocking: Sequence[Finding], results: Sequence[TestResult]) -> str:
    rows = {finding.row for finding in blocking}
    for row, klass in (("tainted-lane", "tainted"), ("protocol-error", "protocol-error")):
        if row in rows:
            return klass
    if rows:
        return "red"
    return "green" if results else "skipped"


class _Votes:
    """
    What the outcomes of a lane's tests mean for the verdict.
    """

    def __init__(
        self, lane: str, settings: Mapping[str, Any], *, has_classes: bool = True, has_code: bool = True
    ) -> None:
        self._lane = lane
        self._advice = ADVICE if has_code else {**ADVICE, "suite-red": _NO_CODE}
        self._has_classes = has_classes and lane in INVENTORY_LANES
        self._quarantine = frozenset(settings.get("quarantine", ()))
        self._changed = tuple(settings.get("quarantine_changed", ())) if lane == "suite" else ()
        self._specimens = frozenset(settings.get("specimens", ())) if lane == "suite" else frozenset[str]()
        self._report_specimens = settings.get("specimens_red") == "report"

    def blocking(self, results: Iterable[TestResult]) -> Iterator[Finding]:
        yield from (finding for finding in self._reds(results) if not self._is_excused(finding))

    def notes(self, results: Sequence[TestResult]) -> Iterator[Finding]:
        for finding in self._reds(results):
            if finding.test in self._quarantine:
                yield replace(
                    finding, message=f"{finding.message} (quarantined: it does not vote)", advice=""
                )
            elif self._is_excused(finding):
                yield replace(finding, advice="")
        for nodeid in self._changed:
            yield Finding(
                path="oracle/quarantine.json", line=0, row="ledger-lapsed", test=nodeid,
                message="the patch changes this test, so its quarantine does not cover it: it votes",
                advice="leave the test as it is, or have an owner renew the row afterwards",
            )  # fmt: skip
        ran = {one.nodeid for one in results}
        lapsed = sorted(self._quarantine - ran) if self._lane == "suite" and ran else []
        for nodeid in lapsed:
            yield Finding(
                path="oracle/quarantine.json", line=0, row="ledger-lapsed", test=nodeid,
                message="no test of this name was collected, so the quarantine covers nothing",
                advice="the owner removes or renames the row",
            )  # fmt: skip

    def _reds(self, results: Iterable[TestResult]) -> Iterator[Finding]:
        if self._lane in QUIET_LANES:
            return
        for one in results:
            # The classes of an inventory have rows of their own; only a proposal holds pytest tests as well.
            if one.outcome in RED and (not self._has_classes or "::" in one.nodeid):
                path = one.nodeid.partition("::")[0]
                row = "specimen-red" if path in self._specimens else _RED_ROW.get(self._lane, "suite-red")
                yield Finding(
                    path=path,
                    line=0,
                    row=row,
                    test=one.nodeid,
                    message=_told(self._lane, one),
                    advice=self._advice[row],
                )

    def _is_excused(self, finding: Finding) -> bool:
        if finding.test in self._quarantine:
            return True
        return finding.row == "specimen-red" and self._report_specimens


def _told(lane: str, one: TestResult) -> str:
    said = one.message.strip().splitlines()
    if one.phase == "collection" and said:
        return f"{lane}: could not be collected: {said[0].removeprefix('collection failure: ')[:200]}"
    what = {
        Outcome.FLAKY: "passed only after another try",
        Outcome.UNKNOWN: "left a record that is not understood",
        Outcome.ERROR: f"ended in an error{f' ({one.phase})' if one.phase else ''}",
    }.get(one.outcome, "failed")
    return f"{lane}: {what}" + (f": {said[0][:200]}" if said else "")
