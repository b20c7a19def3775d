"""
One run at a time in a lane's tree, and nothing of it left running when it ends.

Two shards of a lane share its tree, and a parallel Nox starts both; a service that `setup:` started lives as
long as its lane.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_PR_SET_CHILD_SUBREAPER = 36
_GRACE = 10.0  # seconds between asking a service to end and ending it


@contextlib.contextmanager
def alone_in(tree: Path) -> Iterator[None]:
    """
    Hold the tree for as long as the block runs; another run waits.
    """
    try:
        import fcntl  # noqa: PLC0415  # not everywhere
    except ImportError:
        yield
        return
    if not tree.parent.is_dir():  # not prepared; the lane says so
        yield
        return
    with tree.with_name(f"{tree.name}.lock").open("ab") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            sys.stdout.write(f"oraclekeep: another run is in {tree}; waiting for its end\n")
            sys.stdout.flush()
            fcntl.flock(file, fcntl.LOCK_EX)
        yield


@contextlib.contextmanager
def nothing_left() -> Iterator[list[int]]:
    """
    End what was started in the block and still runs when it ends; the list takes process groups to end.

    On Linux whatever lost its parent becomes ours, also what left its group, as services do.
    """
    groups: list[int] = []
    _adopt()
    try:
        yield groups
    finally:
        for number, seconds in ((signal.SIGTERM, _GRACE), (signal.SIGKILL, 1.0)):
            if not _still_running(groups):
                break
            _signal(groups, number)
            until = time.monotonic() + seconds
            while _still_running(groups) and time.monotonic() < until:
                time.sleep(0.05)


def _adopt() -> None:
    if sys.platform == "linux":
        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def _still_running(groups: list[int]) -> bool:
    """
    Reap what has ended and tell whether anything is left.
    """
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    left = False
    for group in groups:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(group, 0)
            left = True
    return left or bool(_children())


def _signal(groups: list[int], number: signal.Signals) -> None:
    for group in groups:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(group, number)
    for child in _children():
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(child, number)


def _children() -> list[int]:
    """
    Return our children; none where the system has no such list.
    """
    me = os.getpid()
    try:
        return [int(word) for word in Path(f"/proc/{me}/task/{me}/children").read_bytes().split()]
    except (OSError, ValueError):
        return []
