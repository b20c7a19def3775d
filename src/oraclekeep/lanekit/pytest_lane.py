"""
Runs one pytest lane: plant canaries, start pytest as a child, compare, write report and evidence.

This process keeps the record; the child, where the user's code runs, writes nothing that is believed alone.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import canaries as canary
from . import installed, process
from .child import SEEDED
from .cleaning import cleaned
from .plan import LaneError, Plan, read_plan, write_evidence
from .stream import Observed, read_stream

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_CHILD = Path(__file__).with_name("child.py")
_RED = ("failed", "error", "flaky")


def main(lane: str, gate: Path, extra: list[str], shard: str = "") -> int:
    """
    Run the lane: 0 green, 1 red, 2 wrong.
    """
    try:
        plan = read_plan(lane, gate, shard)
    except LaneError as error:
        sys.stderr.write(f"oraclekeep {lane}: {error}\n")
        return 2
    plan.forget()
    if plan.settings.get("empty_ok") or _proposes_no_tests(plan):
        return _nothing(plan)
    return max(_part(part, extra) for part in plan.parts())


def _part(plan: Plan, extra: list[str]) -> int:
    work = Path(tempfile.mkdtemp(prefix="lane-"))
    try:
        return _command(plan, work) if plan.settings.get("command") else _pytest(plan, work, extra)
    except KeyboardInterrupt:
        sys.stderr.write(f"oraclekeep {plan.label}: interrupted; there is no evidence\n")
        return 2
    finally:
        shutil.rmtree(work, ignore_errors=True)


def _proposes_no_tests(plan: Plan) -> bool:
    """
    Tell whether a proposal holds an inventory alone.
    """
    return plan.lane == "proposed" and not any(
        (plan.tree / str(arg)).exists() for arg in plan.settings.get("args", ())
    )


def _nothing(plan: Plan) -> int:
    """
    Report a lane for which this patch has no work: it must not be mistaken for one that never ran.
    """
    facts = {
        "exit_code": 0,
        "ended": "finished",
        "seconds": 0.0,
        "ran": 0,
        "collected": [],
        "stream": {},
        "canaries": [],
    }
    write_evidence(plan, facts, b'<?xml version="1.0" encoding="utf-8"?>\n<testsuites/>\n')
    sys.stdout.write(f"oraclekeep {plan.label}: nothing to do for this patch\n")
    return 0


# --------------------------------------------------------------------------------------------------- pytest


def _pytest(plan: Plan, work: Path, extra: Sequence[str]) -> int:
    found = installed.distributions()
    plugins = installed.choose(found, plan.settings.get("plugins", ()))
    args = [str(arg) for arg in plan.settings.get("args", ())]
    raw = work / "report.xml"
    canary.sweep(plan.tree)
    planted = canary.plant(plan.folder, args, canary.read_rules(plan.config), plan.nonce)
    # Named files are all that pytest collects; where folders are named the canaries lie in one.
    args += [one.path for one in planted if any(arg.partition("::")[0].endswith(".py") for arg in args)]
    argv, env = command(plan, work, [*args, *extra], plugins)
    try:
        ended = process.run(argv, plan.folder, env, float(plan.settings.get("timeout", 1800)), piped=True)
    finally:
        canary.uproot(plan.folder, planted)
    planted = canary.seen_from(plan.package, planted)
    seen = read_stream(ended.stream)
    report = None
    if raw.is_file():
        report = cleaned(raw.read_bytes(), [one.path for one in planted], plan.prefix)
    facts = _facts(ended, seen, planted)
    facts["unlisted_plugins"] = list(plugins.unlisted)
    facts["extra"] = list(extra)
    facts["environment"] = installed.describe(found, env)
    write_evidence(plan, facts, report)
    return _say(plan, facts, planted, report)


def command(
    plan: Plan, work: Path, args: Sequence[str], plugins: installed.Plugins | None = None
) -> tuple[list[str], dict[str, str]]:
    """
    Return the command line and the environment of the child that runs pytest with the lane's plugin.
    """
    if plugins is None:
        plugins = installed.choose(installed.distributions(), plan.settings.get("plugins", ()))
    source = plan.settings.get("source", [])
    product = json.dumps({"tree": str(plan.tree), "prefix": plan.prefix, "source": source})
    options = _options(plan, plugins, work)
    env = process.environment(os.environ, plan.settings.get("env", {}))
    env["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    return [sys.executable, str(_CHILD), plan.lane, product, *options, *args], env


def _options(plan: Plan, plugins: installed.Plugins, work: Path) -> list[str]:
    root = str(plan.config.parent)
    options = [
        "-c", str(plan.config), "--rootdir", root, "--confcutdir", root,
        f"--junitxml={work / 'report.xml'}", "--junit-prefix=",
        "-o", "junit_family=xunit2", "-o", "junit_logging=no", "-o", "junit_duration_report=total",
        "-o", f"cache_dir={work / 'cache'}",
        f"--basetemp={work / 'tmp'}",  # at its end a shared one is cleared of old runs, however large
        "--maxfail=0",  # the canaries fail, and would end a run that stops at the first failure
    ]  # fmt: skip
    for entry in plugins.loaded:
        options += ["-p", entry]
    if "xdist" in plugins.loaded:
        # Seeded runs share one process; elsewhere a crashed worker is not replaced: that hides the crash.
        options.append("-n0" if plan.lane in SEEDED else "--max-worker-restart=0")
    return options


def _facts(ended: process.Ended, seen: Observed, planted: Sequence[canary.Canary]) -> dict[str, Any]:
    """
    Return what the evidence says of the run, the canaries apart from the rest.
    """
    places = tuple(one.path for one in planted)

    def ours(nodeid: str) -> bool:
        return nodeid.partition("::")[0] in places

    outcomes = seen.outcomes()
    contradictions = [text for text in seen.contradictions() if not ours(text)]
    if seen.status is not None and ended.how == "finished" and seen.status != ended.exit_code:
        contradictions.append(
            f"pytest finished with {seen.status}, yet its process exited with {ended.exit_code}"
        )
    return {
        "exit_code": ended.exit_code,
        "ended": ended.how if ended.how != "finished" or seen.status is not None else "crashed",
        "seconds": round(ended.seconds, 3),
        "ran": sum(not ours(nodeid) for nodeid in outcomes),
        "collected": [nodeid for nodeid in seen.collected if not ours(nodeid)],
        "repeated": [nodeid for nodeid in seen.repeated if not ours(nodeid)],
        "deselected": [nodeid for nodeid in seen.deselected if not ours(nodeid)],
        "uncollected": {path: outcome for path, outcome in seen.uncollected.items() if not ours(path)},
        "stream": {nodeid: outcome for nodeid, outcome in outcomes.items() if not ours(nodeid)},
        "canaries": [
            {"nodeid": nodeid, "outcome": outcomes.get(nodeid, "missing")}
            for one in planted
            for nodeid in one.nodeids
        ],
        "contradictions": contradictions,
        "internal_error": seen.internal,
    }


def _say(plan: Plan, facts: dict[str, Any], planted: Sequence[canary.Canary], report: bytes | None) -> int:
    """
    Print the lane's last line, which a person reads after pytest's own, and return the lane's code.
    """
    outcomes = facts["stream"]
    quarantined = set(plan.settings.get("quarantine", ()))
    red = [nodeid for nodeid, outcome in outcomes.items() if outcome in _RED and nodeid not in quarantined]
    red += [
        f"{path} (not collected)" for path, outcome in facts["uncollected"].items() if outcome == "failed"
    ]
    wrong = _wrong(facts, report, red)
    lines = [f"{len(outcomes)} tests, {len(red)} red"]
    if planted:
        places = ", ".join(one.path for one in planted)
        number = len(facts["canaries"])
        lines.append(
            f"{number} more in {places} are the gate's own canaries: they must fail, and count nowhere"
        )
    if facts["exit_code"] == 4 and facts["unlisted_plugins"]:
        names = ", ".join(facts["unlisted_plugins"])
        lines.append(f"not loaded: {names}; list what the suite needs under `plugins:` in oracle/gate.yaml")
    lines += wrong
    sys.stdout.write("".join(f"oraclekeep {plan.label}: {line}\n" for line in lines))
    return 2 if wrong else 1 if red else 0


def _wrong(facts: dict[str, Any], report: bytes | None, red: Sequence[str]) -> list[str]:
    wrong = list(facts["contradictions"])
    if facts["ended"] != "finished":
        wrong.append(f"the run did not end by itself: {facts['ended']}, exit {facts['exit_code']}")
    if report is None:
        wrong.append("pytest wrote no report")
    alive = [one["nodeid"] for one in facts["canaries"] if one["outcome"] != "failed"]
    if alive and not (red and any(outcome == "failed" for outcome in facts["uncollected"].values())):
        wrong.append(f"a check that must fail did not: {', '.join(alive[:3])}")
    if not facts["stream"] and not red:
        wrong.append("no test ran")
    if facts["exit_code"] > 1 and not red:
        wrong.append(f"pytest exited with {facts['exit_code']}")
    return wrong


# ------------------------------------------------------------------------------------------ another runner


def _command(plan: Plan, work: Path) -> int:
    """
    Run what base's gate.yaml names, which writes JUnit to `$GATE_JUNIT`; it has no stream and no canaries.

    No shell runs it, yet the words may say `$GATE_JUNIT`: most runners take the file as an option.
    """
    raw = work / "report.xml"
    told = {"GATE_JUNIT": str(raw), "GATE_PACKAGE": plan.package or "", "GATE_SHARD": plan.shard}
    env = {**process.environment(os.environ, plan.settings.get("env", {})), **told}
    argv = [_filled(str(word), told) for word in plan.settings["command"]]
    try:
        ended = process.run(argv, plan.folder, env, float(plan.settings.get("timeout", 1800)), piped=False)
    except OSError as error:
        sys.stderr.write(
            f"oraclekeep {plan.label}: {argv[0]}: {error.strerror}; mend `command:` in oracle/gate.yaml\n"
        )
        return 2
    report = cleaned(raw.read_bytes(), (), plan.prefix) if raw.is_file() else None
    facts = {
        "custom_command": True,
        "exit_code": ended.exit_code,
        "ended": ended.how,
        "seconds": round(ended.seconds, 3),
        "collected": [],
        "stream": {},
        "canaries": [],
        "environment": installed.describe(installed.distributions(), env),
    }
    write_evidence(plan, facts, report)
    sys.stdout.write(f"oraclekeep {plan.label}: the command exited with {ended.exit_code}\n")
    if report is None:
        sys.stderr.write(f"oraclekeep {plan.label}: it wrote no JUnit file to $GATE_JUNIT ({raw})\n")
    if report is None or ended.how != "finished":
        return 2
    return 1 if ended.exit_code else 0


def _filled(word: str, values: Mapping[str, str]) -> str:
    for name, value in values.items():
        word = word.replace(f"${{{name}}}", value)
        word = re.sub(rf"\${name}(?![A-Za-z0-9_])", lambda _, value=value: value, word)  # type: ignore[misc]
    return word
