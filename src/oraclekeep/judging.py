"""
From the files under `.gate/`, or given ones, to a verdict: where the judging side meets the disk.
"""

from __future__ import annotations

import datetime as dt
import glob
import json
import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from oraclekeep import pipeline, prepare
from oraclekeep.effects import write_atomic
from oraclekeep.errors import Exit, GateError, MissingEvidence, UsageError
from oraclekeep.git import Repo, TreeSnapshot
from oraclekeep.junit import Report, read_junit
from oraclekeep.lane_reading import wrong
from oraclekeep.lanekit.plan import LIVENESS
from oraclekeep.lanes import excuse_drift, missing_lane, prove, read_files, read_lane, read_runs
from oraclekeep.liveness import dead_notes, dead_properties
from oraclekeep.model import Finding, Outcome, TestResult
from oraclekeep.outcomes import RED, by_name
from oraclekeep.refs import WORKTREE
from oraclekeep.replays import run_of_results
from oraclekeep.reports.scoring import document
from oraclekeep.reports.wording import one_line
from oraclekeep.signatures import SIGNERS
from oraclekeep.verdict import Case, Verdict, check_score, judge
from oraclekeep.witness import Comparison, compare, joined

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from oraclekeep.model import Lane
    from oraclekeep.pipeline import Score
    from oraclekeep.replays import Run

RUN_SCHEMA: Final = "oraclekeep/run/1"
OUTCOMES_SCHEMA: Final = "oraclekeep/outcomes/1"
#: What the verdict relies on in any run.
_TOLD: Final = ("base", "head", "kit", "today", "policy_tree", "inventory")
#: Required where no run says otherwise.
_ALWAYS_REQUIRED: Final = ("suite", "characterization")


def gate_folder(start: Path) -> Path:
    """
    Return `.gate/` of the repository, or of the folder itself where it is in none.
    """
    try:
        return Repo.at(start).root / ".gate"
    except GateError:
        return start / ".gate"


def judge_run(
    gate: Path, start: Path, given: Sequence[str], expected: prepare.Request | None = None
) -> Verdict:
    """
    Judge what lies under ``gate``, or the reports given as LANE=FILE.

    ``expected`` names the commits and the date on the caller's own authority: what `run.json` says is then
    derived from them anew, since it lay within reach of the code that the lanes ran, and must agree.
    Raises `MissingEvidence` where there is no run and no score to judge by.
    """
    reports = given_reports(start, given)
    if not (gate / "run.json").exists() and reports and expected is None:
        return _judge_files(gate, reports)
    run = read_run(gate / "run.json")
    forged: tuple[Finding, ...] = ()
    if expected is not None:
        run, forged = _derived_anew(run, expected, start)
    if unknown := sorted(reports.keys() - run["lanes"].keys()):
        known = ", ".join(run["lanes"])
        raise UsageError(f"--junit names no lane of this run: {', '.join(unknown)}; there are {known}")
    scored = _score_anew(gate, run)
    score = _read_score(gate) if scored is None else document(scored)
    _same_commits(score, run)
    lanes = [read_lane(name, run, gate, reports.get(name)) for name in run["lanes"]]
    mode = "enforce"
    if scored is not None:
        write_atomic(gate / "score.json", json.dumps(score, indent=2) + "\n")
        lanes = [excuse_drift(lane, scored.is_intended, scored.unlisted) for lane in lanes]
        mode = scored.policy.settings.mode
        if scored.policy.settings.power == "block":  # nothing measures it yet, and silence must not pass
            lanes.append(missing_lane("power"))
    mains, witnesses = (
        read_runs(name, run, gate, reports.get(name), _signers(gate, run))
        for name in ("inventory", "witness")
    )
    required = run["lanes"].get("witness", {}).get("required") is True
    comparison = compare(mains, witnesses, required=required)
    return _judge(score, prove(lanes), comparison, forged, mode, dead_properties(gate, run))


def _judge(
    score: Mapping[str, Any],
    lanes: Iterable[Lane],
    comparison: Comparison,
    found: Iterable[Finding] = (),
    mode: str = "enforce",
    dead: frozenset[str] = frozenset(),
) -> Verdict:
    lanes = tuple(joined(lane, comparison) if lane.name == "witness" else lane for lane in lanes)
    found = (*found, *comparison.blocking, *dead_notes(dead, score))
    case = Case(score=score, lanes=lanes, witness=comparison.document, found=found, dead=dead, mode=mode)
    return judge(case)


def _judge_files(gate: Path, reports: Mapping[str, Sequence[Path]]) -> Verdict:
    """
    Judge given reports alone.  Nothing says who wrote them, so a witness among them meets no requirement.
    """
    lanes = _without_run(reports)
    mains, witnesses = (
        [_run_of(lane) for lane in lanes if lane.name == name] for name in ("inventory", "witness")
    )
    return _judge(_read_score(gate), lanes, compare(mains, witnesses, required=False))


def _run_of(lane: Lane) -> Run:
    wrongs = tuple(finding.message for finding in lane.blocking if not finding.test)
    return run_of_results(lane.results, "given files", wrongs)


def _derived_anew(
    run: Mapping[str, Any], expected: prepare.Request, start: Path
) -> tuple[dict[str, Any], tuple[Finding, ...]]:
    """
    Return the run that the commits call for, with the nonces of the one on disk, and how the two differ.
    """
    now = dt.datetime.now(dt.UTC).date()
    lately = {day.isoformat() for day in (now, now - dt.timedelta(days=1))}  # lanes may run past midnight
    today = expected.today or (run["today"] if run["today"] in lately else now.isoformat())
    derived = prepare.expected_run(start, replace(expected, today=today), os.environ)
    lanes = {
        name: {**lane, "nonce": run["lanes"].get(name, {}).get("nonce", "")}
        for name, lane in derived["lanes"].items()
    }
    derived = {**derived, "lanes": lanes}
    if LIVENESS in derived:
        derived[LIVENESS] = {**derived[LIVENESS], "nonce": (run.get(LIVENESS) or {}).get("nonce", "")}
    return derived, tuple(_forged(run, derived))


def _forged(run: Mapping[str, Any], derived: Mapping[str, Any]) -> Iterator[Finding]:
    place = ".gate/run.json"
    for key in prepare.IDS:
        if run.get(key) != derived[key]:
            told = f"{key} is {run.get(key)!r}, and the commits that were asked for give {derived[key]!r}"
            yield wrong("run.json", told, place=place)
    for name in sorted({*run["lanes"], *derived["lanes"]}):
        ours, theirs = (one["lanes"].get(name, {}) for one in (derived, run))
        keys = sorted(key for key in {*ours, *theirs} if ours.get(key) != theirs.get(key))
        if keys:
            told = f"lane {name!r} is not as base's policy has it ({', '.join(keys)})"
            yield wrong("run.json", told, place=place)


def _score_anew(gate: Path, run: Mapping[str, Any]) -> Score | None:
    """
    Score the run's own commits; None where they are not here, as in a job that has nothing but artifacts.

    What lies in `score.json` was within reach of the code that the lanes ran.
    """
    worktree = run["head"].startswith(WORKTREE)
    try:
        repo = Repo.at(gate.parent)
        for commit in (run["base"], *(() if worktree else (run["head"],))):
            repo.resolve(commit)
    except GateError:
        return None
    head = "HEAD" if worktree else run["head"]
    today = dt.date.fromisoformat(run["today"])
    return pipeline.score(pipeline.Request(gate.parent, today, run["base"], head, worktree))


def _signers(gate: Path, run: Mapping[str, Any]) -> bytes | None:
    """
    Return `oracle/allowed_signers` of base; None where it has none, or is not here.
    """
    try:
        repo = Repo.at(gate.parent)
        with repo.blobs() as blobs:
            return TreeSnapshot(repo, blobs, repo.resolve(run["base"])).read(SIGNERS)
    except GateError:
        return None


def _read_score(gate: Path) -> dict[str, Any]:
    score = read_json(gate / "score.json", "run `oraclekeep score --output .gate/score.json` first")
    check_score(score)
    return score


def _same_commits(score: Mapping[str, Any], run: Mapping[str, Any]) -> None:
    for key in ("base", "head"):
        if score.get(key) != run[key]:
            raise MissingEvidence(
                f"the score and run.json are of different {key}s; run `nox -s prepare` and the lanes again"
            )


def _without_run(reports: Mapping[str, Sequence[Path]]) -> tuple[Lane, ...]:
    given = [
        read_files(name, [(str(path), path.read_bytes()) for path in paths])
        for name, paths in reports.items()
    ]
    return (*given, *(missing_lane(name) for name in _ALWAYS_REQUIRED if name not in reports))


def given_reports(start: Path, given: Iterable[str]) -> dict[str, list[Path]]:
    """
    Sort LANE=FILE arguments by lane; a pattern that matches nothing is an error, not an empty lane.
    """
    reports: dict[str, list[Path]] = {}
    for word in given:
        lane, equals, pattern = word.partition("=")
        if not equals or not lane or not pattern:
            raise UsageError(f"--junit {word!r}: write it as LANE=FILE")
        reports.setdefault(lane, []).extend(matching(start, pattern))
    return {lane: list(dict.fromkeys(paths)) for lane, paths in reports.items()}


def matching(start: Path, pattern: str) -> list[Path]:
    """
    Return the files of one path or glob, sorted.
    """
    exact = start / pattern
    found = [exact] if exact.is_file() else sorted(map(Path, glob.glob(str(exact), recursive=True)))  # noqa: PTH207  # patterns may be absolute
    files = [path for path in found if path.is_file()]
    if not files:
        raise MissingEvidence(f"{pattern}: no such file; did the lane run, and is the path right?")
    return files


def read_json(path: Path, advice: str) -> dict[str, Any]:
    try:
        found = json.loads(path.read_bytes())
    except OSError as error:
        raise MissingEvidence(f"{path}: {error.strerror}; {advice}") from error
    except (ValueError, RecursionError) as error:
        raise MissingEvidence(f"{path}: not JSON: {error}; {advice}") from error
    if not isinstance(found, dict):
        raise MissingEvidence(f"{path}: not a JSON object; {advice}")
    return found


def read_run(path: Path) -> dict[str, Any]:
    """
    Read `run.json` as far as the verdict relies on it.
    """
    advice = "run `nox -s prepare` again"
    run = read_json(path, advice)
    lanes = run.get("lanes")
    complete = (
        run.get("schema") == RUN_SCHEMA
        and all(isinstance(run.get(key), str) for key in _TOLD)
        and isinstance(lanes, dict)
        and bool(lanes)
        and all(isinstance(lane, dict) and _is_nonce(lane.get("nonce")) for lane in lanes.values())
    )
    if not complete:
        raise MissingEvidence(f"{path}: not a complete {RUN_SCHEMA} document; {advice}")
    return run


def _is_nonce(value: object) -> bool:
    return isinstance(value, str) and bool(value)


# ---------------------------------------------------------------------------------------------- outcomes


def read_outcomes(start: Path, patterns: Sequence[str], *, json: bool) -> tuple[str, Exit]:
    """
    Return what the gate reads in the files, as text or JSON, and the exit code.
    """
    if not patterns:
        raise UsageError("name at least one JUnit file")
    paths = dict.fromkeys(path for pattern in patterns for path in matching(start, pattern))
    reports = [read_junit(path.read_bytes(), path.as_posix()) for path in paths]
    code = max((_code(report) for report in reports), key=(Exit.ALLOW, Exit.REJECT, Exit.CANNOT_JUDGE).index)
    return (_as_json(reports, code) if json else "".join(_as_text(report) for report in reports)), code


def _code(report: Report) -> Exit:
    if not report.readable:
        return Exit.CANNOT_JUDGE
    red = any(record.outcome in RED for record in report.records)
    # A file in which nothing ran is no more a pass than one with a problem.
    outcomes = {one.outcome for one in by_name(report.records)}
    return Exit.REJECT if red or report.problems or not outcomes or outcomes & RED else Exit.ALLOW


def _as_text(report: Report) -> str:
    tests = by_name(report.records)
    lines = [report.name]
    lines += [f"  {one.outcome:8}{_name(one)}{_said(one)}" for one in tests]
    lines += [f"  problem: line {problem.line}: {problem.message}" for problem in report.problems]
    lines += [f"  note: {note}" for note in report.notes]
    if report.readable and not tests:
        lines.append("  problem: the file holds no test: nothing ran")
    unknown = sum(one.seconds is None for one in tests)
    total = sum(one.seconds for one in tests if one.seconds is not None)
    without = f" ({unknown} times unknown)" if unknown else ""
    lines.append(
        f"  {len(tests)} tests, {sum(one.outcome in RED for one in tests)} red, {total:.1f} s{without}"
    )
    return "".join(
        f"{one_line(line, 1000) if index == 0 else '  ' + one_line(line, 1000)}\n"
        for index, line in enumerate(lines)
    )


def _name(one: TestResult) -> str:
    return f"{one.nodeid} (collection)" if one.phase == "collection" else one.nodeid


def _said(one: TestResult) -> str:
    return f": {one.message}" if one.message and one.outcome is not Outcome.PASSED else ""


def _as_json(reports: Sequence[Report], code: Exit) -> str:
    answer = {
        "schema": OUTCOMES_SCHEMA,
        "exit": int(code),
        "files": [
            {
                "file": report.name,
                "readable": report.readable,
                "tests": [
                    {
                        "nodeid": one.nodeid,
                        "outcome": str(one.outcome),
                        "message": one.message,
                        "seconds": one.seconds,
                        "records": one.records,
                        "phase": one.phase,
                    }
                    for one in by_name(report.records)
                ],
                "problems": [
                    {"line": problem.line, "message": problem.message} for problem in report.problems
                ],
                "notes": list(report.notes),
            }
            for report in reports
        ],
    }
    return json.dumps(answer, indent=2) + "\n"
