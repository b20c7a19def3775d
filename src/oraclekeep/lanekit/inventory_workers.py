"""
Starts the workers of one run, listens to them, and outlives whatever they do.
"""

from __future__ import annotations

import contextlib
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

from . import variations
from .inventory_classes import ERROR

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Callable, Iterator, Mapping

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
_START: Final = 60.0  # seconds in which a worker must begin
_SLACK: Final = 15.0  # seconds that a worker has beyond a property's own, to say that it ended
_BOOT: Final = Path(__file__).resolve().with_name("inventory_boot.py")


@dataclass(frozen=True)
class Settings:
    """
    How to run.  ``today`` decides about freezes; ``seconds`` is what all of it may take.

    ``vary`` changes the pins by name (`diagnosing.VARIATIONS`); ``progress`` is told what starts.
    """

    tree: Path
    today: dt.date
    python: str = sys.executable
    repeats: int = 2
    pins: Mapping[str, str] = field(default_factory=lambda: PINS)
    env: Mapping[str, str] = field(default_factory=dict)
    seconds: float = math.inf
    vary: tuple[str, ...] = ()
    diagnose: bool = False
    progress: Callable[[str], None] = lambda _: None


class Workers:
    """
    Starts the workers of one run and listens to them.
    """

    def __init__(self, job: dict[str, Any], settings: Settings) -> None:
        self._job, self._settings = job, settings
        self._varied = variations.apply(settings.vary)
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
        given = {**ours, **self._settings.env, **own, "LANG": pins["LC_ALL"], **pins, **self._varied.env}
        return {name: value.replace(variations.FRESH, home) for name, value in given.items()}

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
            ready = [{**one, **self._varied.property_changes(one)} for one in properties]
            _hand_over(worker, {**self._job, **self._varied.job, "properties": ready})
            for event in _events(worker, patience):
                if "start" in event:
                    current, pid, began = event["start"], event["pid"], time.monotonic()
                    self._settings.progress(current)
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
