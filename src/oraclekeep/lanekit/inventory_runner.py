"""
Runs an inventory: fixtures are checked and read here, properties run in workers, repeats become classes.

Imports nothing of ours but its neighbours, so that the kit and a lane run the very same code.
"""

from __future__ import annotations

import contextlib
import datetime as dt
import json
import math
import os
import select
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from .fixtures import FixtureError, file_digest, samples_of
from .inventory_classes import DRIFT, ERROR, FROZEN, GREEN, NOISE, PASS, PROTOCOL, RED, class_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

SCHEMA: Final = "oraclekeep/inventory/1"
PLAN_SCHEMA: Final = "oraclekeep/inventory-plan/1"

#: What every repeat is given, and what a varied run is given in its place.
PINS: Final = {"PYTHONHASHSEED": "0", "LC_ALL": "C.UTF-8", "TZ": "UTC"}
VARIED: Final = {"PYTHONHASHSEED": "4711", "LC_ALL": "C", "TZ": "KIT-05:45"}

#: What a program needs to be found and to load; everything else stays outside.
_PASSED_ON: Final = (
    "PATH",
    "LD_LIBRARY_PATH",
    "DYLD_LIBRARY_PATH",
    "DYLD_FALLBACK_LIBRARY_PATH",
    "VIRTUAL_ENV",
    "SYSTEMROOT",
)
#: Green repeats after which a freeze is called needless, and the seconds that a run spends on finding out.
THAW: Final = 10
_THAW_SECONDS: Final = 10.0
_START: Final = 60.0  # seconds in which a worker must begin
_SLACK: Final = 15.0  # seconds that a worker has beyond a property's own, to say that it ended
_BOOT: Final = Path(__file__).resolve().with_name("inventory_boot.py")


@dataclass(frozen=True)
class Settings:
    """
    How to run.  ``today`` decides about freezes; ``seconds`` is what all of it may take.
    """

    tree: Path
    today: dt.date
    python: str = sys.executable
    repeats: int = 2
    pins: Mapping[str, str] = field(default_factory=lambda: PINS)
    env: Mapping[str, str] = field(default_factory=dict)
    seconds: float = math.inf


def run(plan: dict[str, Any], settings: Settings) -> dict[str, Any]:
    """
    Run the properties of a plan in a tree and return the run as `oraclekeep/inventory/1`.
    """
    rows = [_row(one, settings) for one in plan["properties"]]
    samples = {row["fixture"]: row.pop("samples") for row in rows if "samples" in row}
    ready = [one for one, row in zip(plan["properties"], rows, strict=True) if not row["status"]]
    job = {
        "tree": str(settings.tree.resolve()),
        "paths": [str((settings.tree / folder).resolve()) for folder in plan["source"]],
        "checks": plan["checks"],
        "strategies": plan["strategies"],
        "samples": samples,
    }
    workers = _Workers(job, settings)
    repeats = [workers.repeat(ready) for _ in range(settings.repeats)]
    outcomes = {one["id"]: [repeat[one["id"]] for repeat in repeats] for one in ready}
    frozen = {
        one["id"]: until
        for one, row in zip(plan["properties"], rows, strict=True)
        if (until := _frozen_until(one, row, plan, settings.today))
    }
    if settings.repeats > 1:
        _warm(workers, [one for one in ready if one["id"] in frozen], outcomes)
    for one, row in zip(plan["properties"], rows, strict=True):
        if not row["status"]:
            _judge(row, outcomes[one["id"]])
        if row["status"] != DRIFT and one["id"] in frozen:
            _freeze(row, frozen[one["id"]])
        row["votes"] = not one["pending"] and row["status"] != FROZEN
    return {
        "schema": SCHEMA,
        "repeats": settings.repeats,
        "pins": dict(settings.pins),
        "properties": rows,
    }


def _warm(workers: _Workers, frozen: list[dict[str, Any]], outcomes: dict[str, list[dict[str, Any]]]) -> None:
    """
    Run frozen properties that have been green so far some more times: a freeze may no longer be needed.
    """
    began = time.monotonic()
    while time.monotonic() - began < _THAW_SECONDS:
        green = [
            one
            for one in frozen
            if len(outcomes[one["id"]]) < THAW and {each["colour"] for each in outcomes[one["id"]]} == {GREEN}
        ]
        if not green:
            break
        for ident, outcome in workers.repeat(green).items():
            outcomes[ident].append(outcome)


def _freeze(row: dict[str, Any], until: str) -> None:
    said = f": {row['detail']}" if row["detail"] else ""
    thaw = row["status"] == PASS and len(row["repeats"]) >= THAW
    more = f", green {len(row['repeats'])} times: the freeze can go" if thaw else ""
    row["detail"] = f"frozen until {until}; this run: {row['status']}{more}{said}"
    row["status"] = FROZEN


def _row(one: dict[str, Any], settings: Settings) -> dict[str, Any]:
    """
    Return a property's row: decided already where its fixture is, else with the samples.
    """
    row = {
        "prop_id": one["id"],
        "status": "",
        "detail": "",
        "seed": one["seed"],
        "fixture": one["fixture"],
        "fixture_sha256": "",
        "checks": [call["name"] for call in one["checks"]],
        "votes": True,
        "repeats": [],
        "seconds": 0.0,
    }
    if one["fixture"]:
        try:
            _read_fixture(row, one, settings.tree)
        except FixtureError as error:
            row.update(status=DRIFT, detail=f"{one['fixture']}: {error}")
    if not row["status"]:
        trouble = _hollow(one, row)
        row.update({"status": PROTOCOL, "detail": trouble} if trouble else {})
    return row


def _read_fixture(row: dict[str, Any], one: dict[str, Any], tree: Path) -> None:
    try:
        data = (tree / one["fixture"]).read_bytes()
    except OSError as error:
        raise FixtureError(f"can't be read: {error.strerror}") from error
    digest = row["fixture_sha256"] = file_digest(data, one["canonical"])
    if not one["sha256"]:
        raise FixtureError(f"has no entry in invariants/fixture.lock.json; its sha256 is {digest}")
    if digest != one["sha256"]:
        raise FixtureError(f"its sha256 is {digest}, the lock says {one['sha256']}")
    row["samples"] = samples_of(one["fixture"], data)


def _hollow(one: dict[str, Any], row: dict[str, Any]) -> str:
    """
    Say why nothing could fail, or nothing.
    """
    if not one["checks"]:
        return "the property has no checks; nothing could fail"
    if not one["strategy"] and not row.get("samples"):
        return f"{one['fixture'] or 'the property'} holds no samples; nothing could fail"
    return ""


def _frozen_until(one: dict[str, Any], row: dict[str, Any], plan: dict[str, Any], today: dt.date) -> str:
    triple = (one["id"], one["seed"], row["fixture_sha256"] or file_digest(b""))
    dates = [
        freeze["expires_on"] for freeze in plan["freezes"]
        if (freeze["property_id"], freeze["seed"], freeze["fixture_sha256"]) == triple
    ]  # fmt: skip
    return max((date for date in dates if dt.date.fromisoformat(date) > today), default="")


def _judge(row: dict[str, Any], outcomes: list[dict[str, Any]]) -> None:
    colours = [outcome["colour"] for outcome in outcomes]
    row["repeats"] = colours
    row["seconds"] = round(sum(outcome["seconds"] for outcome in outcomes), 4)
    row["status"] = class_of(colours)
    worst = next(
        (outcome for colour in (ERROR, RED, GREEN) for outcome in outcomes if outcome["colour"] == colour),
        None,
    )
    row["detail"] = worst["detail"] if worst else "it was not run"
    if row["status"] == NOISE:
        row["detail"] = (
            f"red in {colours.count(RED)} of {len(colours)} runs under the same pins: {row['detail']}"
        )
    elif row["status"] != PASS and len({outcome["detail"] for outcome in outcomes}) > 1:
        row["detail"] += "; another repeat said something else"


# ---------------------------------------------------------------------------------------------- workers


class _Workers:
    """
    Starts the workers of one run and listens to them.
    """

    def __init__(self, job: dict[str, Any], settings: Settings) -> None:
        self._job, self._settings = job, settings
        self._deadline = time.monotonic() + settings.seconds

    def repeat(self, properties: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
        """
        Run every property once.  A worker that a property brings down is started again for the rest.
        """
        outcomes: dict[str, dict[str, Any]] = {}
        todo = properties
        while todo:
            reason = self._session(todo, outcomes)
            left = [one for one in todo if one["id"] not in outcomes]
            if len(left) == len(
                todo
            ):  # it did not come as far as the first property: the next would not either
                outcomes.update({one["id"]: _error(reason) for one in left})
                break
            todo = left
        return outcomes

    def _session(self, properties: list[dict[str, Any]], outcomes: dict[str, dict[str, Any]]) -> str:
        """
        Run one worker to its end, keep what it says, and return why it ended.
        """
        with (
            tempfile.TemporaryDirectory(prefix="oraclekeep-", ignore_cleanup_errors=True) as home,
            tempfile.TemporaryFile() as errors,
        ):
            python = self._settings.python
            python = str(Path(python).absolute()) if os.sep in python else python
            options = ("-s", "--check-hash-based-pycs", "always")
            try:
                worker = subprocess.Popen(
                    [python, *options, str(_BOOT), str(_BOOT.parent)],
                    cwd=home, env=self._environment(home), start_new_session=True,
                    stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors,
                )  # fmt: skip
            except OSError as error:
                return f"{python} can't be started: {error.strerror}"
            with worker:
                try:
                    reason = self._follow(worker, properties, outcomes)
                finally:
                    worker.kill()
            errors.seek(0)
            words = errors.read()[-2000:].decode("utf-8", "replace").strip().rpartition("\n")[2]
        return f"{reason}: {words}" if words else reason

    def _environment(self, home: str) -> dict[str, str]:
        ours = {name: os.environ[name] for name in _PASSED_ON if name in os.environ}
        own = {
            "HOME": home,
            "TMPDIR": home,
            "PYTHONSAFEPATH": "1",
            "PYTHONUTF8": "1",
            "HYPOTHESIS_STORAGE_DIRECTORY": f"{home}/hypothesis",
        }
        pins = self._settings.pins
        return {**ours, **self._settings.env, **own, "LANG": pins["LC_ALL"], **pins}

    def _follow(
        self,
        worker: subprocess.Popen[bytes],
        properties: list[dict[str, Any]],
        outcomes: dict[str, dict[str, Any]],
    ) -> str:
        """
        Read the worker's events until it has said everything, dies, or says nothing for too long.
        """
        limits = {one["id"]: float(one["timeout"]) for one in properties}
        current, pid, began = "", 0, time.monotonic()

        def patience() -> float:
            mine = _SLACK + limits[current] if current else _START
            return max(0.0, min(mine, self._deadline - time.monotonic()))

        try:
            _hand_over(worker, {**self._job, "properties": properties})
            for event in _events(worker, patience):
                if "start" in event:
                    current, pid, began = event["start"], event["pid"], time.monotonic()
                elif event["end"] == current:
                    outcomes[current] = {key: event[key] for key in ("colour", "detail", "seconds")}
                    current = ""
        finally:
            if current:
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.killpg(pid, signal.SIGKILL)
        if time.monotonic() > self._deadline:
            reason = f"not run to its end within the {self._settings.seconds:g} s that the lane has"
            outcomes.update({one["id"]: _error(reason) for one in properties if one["id"] not in outcomes})
        elif current:
            reason = "the property ended or stopped the worker that ran it"
            outcomes[current] = _error(reason, time.monotonic() - began)
        return "the worker ended before it ran the property"


def _error(detail: str, seconds: float = 0.0) -> dict[str, Any]:
    return {"colour": ERROR, "detail": detail, "seconds": round(seconds, 4)}


def _hand_over(worker: subprocess.Popen[bytes], job: dict[str, Any]) -> None:
    if worker.stdin is not None:
        with contextlib.suppress(BrokenPipeError), worker.stdin as pipe:  # it died; its silence says so
            pipe.write(json.dumps(job).encode("ascii"))


def _events(worker: subprocess.Popen[bytes], patience: Callable[[], float]) -> Iterator[dict[str, Any]]:
    """
    Yield one event per line; end at the worker's end, or at a silence longer than is due.
    """
    if worker.stdout is None:
        return
    descriptor, rest = worker.stdout.fileno(), b""
    while select.select([descriptor], [], [], patience())[0]:
        chunk = os.read(descriptor, 65536)
        if not chunk:
            return
        *lines, rest = (rest + chunk).split(b"\n")
        for line in lines:
            yield json.loads(line)
