"""
The lane's child process: its environment, its time, and what it says through the pipe.
"""

from __future__ import annotations

import contextlib
import ctypes
import functools
import os
import re
import signal
import subprocess
import sys
import threading
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .child import PIPE_VARIABLE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

MAX_STREAM = 256 * 1024 * 1024
_PR_SET_PDEATHSIG = 1
_GRACE = 3.0  # seconds between asking a group to end and ending it

#: Variables that steer Python, pytest, coverage or Git, or that belong to the CI runner and not to the suite.
_STEERING = re.compile(
    r"PYTEST_.*|PYTHON(STARTUP|OPTIMIZE|PATH|HOME|INSPECT|WARNINGS|BREAKPOINT|HASHSEED|SAFEPATH|PYCACHEPREFIX|PLATLIBDIR|USERBASE)"
    r"|COV_CORE_.*|COVERAGE_.*|HYPOTHESIS_.*|NOX.*|GIT_.*|__PYVENV_LAUNCHER__"
    r"|GITHUB_(ENV|OUTPUT|PATH|STATE|STEP_SUMMARY|EVENT_PATH)|ACTIONS_.*|RUNNER_.*|GATE_.*|ORACLEKEEP_.*"
)
_SECRET = re.compile(
    r".*(TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIAL|API_?KEY|ACCESS_?KEY|PRIVATE_?KEY|SIGNING_?KEY).*"
    r"|SSH_AUTH_SOCK|SSH_AGENT_PID|GPG_.*|AWS_.*|AZURE_.*|GOOGLE_APPLICATION_.*|NETRC|PIP_(EXTRA_)?INDEX_URL|UV_(EXTRA_)?INDEX_URL",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Ended:
    """
    How a child ended: ``how`` is `finished`, `timeout` or `killed`.
    """

    how: str
    exit_code: int
    seconds: float
    stream: bytes


def environment(outer: Mapping[str, str], lane: Mapping[str, str]) -> dict[str, str]:
    """
    Return what the suite may see: nothing that steers it, no secrets, and what base's gate.yaml sets.
    """
    kept = {
        name: value
        for name, value in outer.items()
        if not (_STEERING.fullmatch(name) or _SECRET.fullmatch(name))
    }
    return {**kept, "PYTHONHASHSEED": "0", **lane}


def run(
    argv: Sequence[str],
    cwd: Path,
    env: Mapping[str, str],
    timeout: float,
    *,
    piped: bool,
    silent: bool = False,
    kept: list[int] | None = None,
) -> Ended:
    """
    Run the child in a process group of its own, its output passed through, and end the whole group.

    ``kept`` takes the group of a child that ended well, for the caller to end.
    """
    reading, writing = os.pipe()
    child = {**env, PIPE_VARIABLE: str(writing)} if piped else dict(env)
    collected = bytearray()
    reader = threading.Thread(target=_drain, args=(reading, collected), daemon=True)
    started = time.monotonic()
    process = subprocess.Popen(
        argv,
        cwd=cwd,
        env=child,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL if silent else None,
        stderr=subprocess.DEVNULL if silent else None,
        start_new_session=True,
        pass_fds=(writing,) if piped else (),
        preexec_fn=_ends_with_us(),  # noqa: PLW1509  # no other thread runs yet
    )
    os.close(writing)
    reader.start()
    with _passing_on_signals(), _ending(process, kept):
        try:
            code = process.wait(timeout)
            how = "finished" if code >= 0 else "killed"
        except subprocess.TimeoutExpired:
            _stop(process)
            how, code = "timeout", process.wait()
    seconds = time.monotonic() - started
    reader.join(_GRACE)  # a process that left the group may hold the pipe; it is not waited for
    return Ended(how, code, seconds, bytes(collected))


def _ends_with_us() -> Callable[[], object] | None:
    """
    Return what has Linux end the child when this process is killed: a hanging test would hold Nox back.
    """
    if sys.platform != "linux":
        return None
    return functools.partial(ctypes.CDLL(None).prctl, _PR_SET_PDEATHSIG, int(signal.SIGKILL))


def _drain(descriptor: int, into: bytearray) -> None:
    with os.fdopen(descriptor, "rb", buffering=0) as pipe:
        while chunk := pipe.read(65536):
            if len(into) < MAX_STREAM:
                into += chunk


@contextlib.contextmanager
def _ending(process: subprocess.Popen[bytes], kept: list[int] | None) -> Iterator[None]:
    """
    Whatever happens, nothing of the group outlives the lane.
    """
    try:
        yield
    finally:
        if kept is not None and process.returncode == 0:
            kept.append(process.pid)
        else:
            _signal(process, signal.SIGKILL)
            process.wait()


@contextlib.contextmanager
def _passing_on_signals() -> Iterator[None]:
    """
    A runner that ends this process with SIGTERM gets the clean-up that an interrupt gets.
    """
    before = signal.signal(signal.SIGTERM, _interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _interrupt(*_: object) -> None:
    raise KeyboardInterrupt


def _stop(process: subprocess.Popen[bytes]) -> None:
    _signal(process, signal.SIGTERM)
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(_GRACE)
    _signal(process, signal.SIGKILL)


def _signal(process: subprocess.Popen[bytes], number: int) -> None:
    # The group keeps the child's id for as long as one member lives.
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, number)
