# /// script
# requires-python = ">=3.11"
# dependencies = ["nox>=2025.5.1"]
# ///
"""
The gate's sessions.

    nox -s gate                                  judge the last change: 0 allow, 1 reject, 2 could not judge
    nox -s gate -- --base REF --head REF         judge another one
    nox -s gate -- --worktree                    judge what is not committed yet
    nox -s suite                                 one lane by hand
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any, NoReturn

import nox
import nox.command

nox.needs_version = ">=2025.5.1"
nox.options.default_venv_backend = "uv|virtualenv"
nox.options.error_on_missing_interpreters = True
nox.options.reuse_venv = "yes"
nox.options.sessions = ["gate"]

KIT = ("oraclekeep==0.1.0",)
LANEKIT = ("-ISB", ".gate/kit/oraclekeep_lanekit")  # nothing that the project installs runs in it at start-up
#: Newer Nox runs lanes side by side.
SIDE_BY_SIDE = ["--parallel", "2", "--allow-parallel"] if hasattr(nox.Session, "parallel") else []


def install_kit(session: nox.Session) -> list[str]:
    """
    Install the kit and return the words that start it; no module of the working copy comes before it (`-P`).

    Without it nobody judges.
    """
    try:
        session.install(*KIT, env={"PYTHONSAFEPATH": "1"})
    except nox.command.CommandFailed:
        end_with(2)
    return [str(Path(session.bin, "python")), "-P", "-m", "oraclekeep"]


def end_with(code: int) -> NoReturn:
    """
    End Nox with the gate's own exit code; whatever is none of the gate's own means that nobody judged.
    """
    raise SystemExit(code if code in {0, 1} else 2)


def test_group(lane: str) -> tuple[str, ...]:
    """
    Return what the tests need, as the lane's own tree says: a patch may ask for more than base did.
    """
    pyproject = nox.project.load_toml(f".gate/trees/{lane}/pyproject.toml")
    return nox.project.dependency_groups(pyproject, "test")


def read_run() -> dict[str, Any]:
    """
    Read what `prepare` wrote: commits, date, lanes.
    """
    run: dict[str, Any] = json.loads(Path(".gate/run.json").read_text(encoding="utf-8"))
    return run


def start_run(kit: list[str], wishes: list[str]) -> tuple[list[str], list[str]]:
    """
    Prepare, and return the lanes and the options that name exactly this run.

    The verdict is told them again, since the lanes' code could reach what lies on disk.
    """
    if code := subprocess.call([*kit, "prepare", *wishes]):
        end_with(code)
    run = json.loads(Path(".gate/run.json").read_text(encoding="utf-8"))
    head = ["--worktree"] if run["head"].startswith("worktree:") else ["--head", run["head"]]
    lanes = [*run["lanes"], *(["liveness"] if run.get("liveness", {}).get("due") else [])]
    return lanes, ["--base", run["base"], *head, "--today", run["today"]]


@nox.session
def gate(session: nox.Session) -> None:
    """
    Run every lane, then judge; the exit code is the verdict's own.
    """
    kit = install_kit(session)
    lanes, this_run = start_run(kit, ["--fresh", *session.posargs])
    wanted = [name for name in lanes if name != "witness"]  # a witness is another machine
    try:
        nested = [sys.executable, "-P", "-m", "nox", *SIDE_BY_SIDE, "--session", *wanted, "--", *this_run]
        subprocess.call(nested)  # its exit code says nothing that the reports don't say better
    except KeyboardInterrupt:
        session.log("interrupted: judging what there is")
    end_with(subprocess.call([*kit, "verdict", *this_run]))


@nox.session
def verdict(session: nox.Session) -> None:
    """
    Judge what the lanes have left; the last job of a CI run, which runs nothing of the patch.
    """
    kit = install_kit(session)
    _, this_run = start_run(kit, session.posargs)
    end_with(subprocess.call([*kit, "verdict", *this_run]))


@nox.session
def prepare(session: nox.Session) -> None:
    """
    Assemble the trees and `.gate/run.json`; cheap while they still match.
    """
    session.run(*install_kit(session), "prepare", *session.posargs)


@nox.session
def expiry(session: nox.Session) -> None:
    """
    List the exceptions that have lapsed or soon will: `-- --within 14 --strict`; for a schedule.
    """
    session.run(*install_kit(session), "expiry", *session.posargs)


@nox.session(requires=["prepare"])
def properties(session: nox.Session) -> None:
    """
    Run base's properties on what would land.
    """
    session.install("-e", ".gate/trees/properties", *test_group("properties"))
    session.run("python", *LANEKIT, "properties")


@nox.session(requires=["prepare"])
def inventory(session: nox.Session) -> None:
    """
    Run base's seed-pinned inventory on what would land.
    """
    session.install("-e", ".gate/trees/inventory", *test_group("inventory"))
    session.run("python", *LANEKIT, "inventory")


@nox.session(requires=["prepare"])
def suite(session: nox.Session) -> None:
    """
    Run the patch's own tests on what would land: red blocks, green buys nothing.
    """
    session.install("-e", ".gate/trees/suite", *test_group("suite"))
    session.run("python", *LANEKIT, "suite")


@nox.session(requires=["prepare"])
def characterization(session: nox.Session) -> None:
    """
    Run base's tests, where the patch touched them, on the patched code.
    """
    session.install("-e", ".gate/trees/characterization", *test_group("characterization"))
    session.run("python", *LANEKIT, "characterization")


@nox.session(requires=["prepare"])
def specimens(session: nox.Session) -> None:
    """
    Run the patch's new tests on base's code, where they ought to fail.
    """
    session.install("-e", ".gate/trees/specimens", *test_group("specimens"))
    session.run("python", *LANEKIT, "specimens")


@nox.session(requires=["prepare"])
def proposed(session: nox.Session) -> None:
    """
    Run the properties and the inventory that an owner patch proposes.
    """
    session.install("-e", ".gate/trees/proposed", *test_group("proposed"))
    session.run("python", *LANEKIT, "proposed")


@nox.session(requires=["prepare"])
def witness(session: nox.Session) -> None:
    """
    Replay the inventory as a second runner; ORACLEKEEP_RUNNER names it, else its host does.
    """
    session.install("-e", ".gate/trees/witness", *test_group("witness"))
    session.run("python", *LANEKIT, "witness")


@nox.session(requires=["prepare"])
def liveness(session: nox.Session) -> None:
    """
    Plant the faults of `oracle/known_fail/` one by one: each must turn red what it names.
    """
    if "liveness" not in read_run():
        session.error("oracle/known_fail/ holds no fault, or there is no property; nothing was proven")
    session.install("-e", ".gate/trees/liveness", *test_group("liveness"))
    session.run("python", *LANEKIT, "liveness")
