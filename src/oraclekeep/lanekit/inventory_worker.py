"""
The process in which the properties of one repeat run: started once, forked once per property.

The parent side of each fork runs no user code.  It reads the answer from a pipe of that property's own,
drains what the property prints, ends its whole process group, and says how a process ended that gave no
answer.  So no property can leave anything behind for the next, and none can speak for another.
"""

from __future__ import annotations

import contextlib
import faulthandler
import importlib
import json
import os
import resource
import select
import signal
import sys
import time
from typing import Any, Final

from . import bytecode, inventory_property, searching
from .deeds import Deeds
from .guards import install
from .inventory_classes import ERROR, GREEN, RED
from .sameness import Trouble, said
from .tampering import Untouched
from .watching import Watch

_MEMORY: Final = 4 << 30
_LONGEST_ANSWER: Final = 1 << 20
_KEPT: Final = 4000  # bytes of what a property printed last
_TICK: Final = 0.1
_COLOURS: Final = frozenset({ERROR, GREEN, RED})
_UNTRUSTED: Final = ", which the checks stand on: what they saw proves nothing; put it back after use"


def main() -> None:
    """
    Read the job from standard input; write a line per event to standard output.
    """
    with os.fdopen(0, "rb", closefd=False) as pipe:
        job = json.loads(pipe.read())
    channel = os.dup(1)
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(nothing, 1)
    sys.argv[:] = [""]
    _adopt()
    if any(one["strategy"] for one in job["properties"]):
        os.environ["HYPOTHESIS_NO_PLUGINS"] = "1"
        searching.load_hypothesis()
    sys.path[:0] = job["paths"]
    bytecode.keep(os.path.join(os.environ["HOME"], "pycache"), job["paths"])  # noqa: PTH118  # a plain string
    # For what a property starts itself; here, installed packages keep their bytecode where they lie.
    os.environ.update(PYTHONPATH=os.pathsep.join(job["paths"]), PYTHONDONTWRITEBYTECODE="1")
    _vary(job)
    for one in job["properties"]:
        _supervise(channel, job, one)
    os._exit(0)  # whatever the environment's start-up files registered has no say


def _vary(job: dict[str, Any]) -> None:
    """
    Change what a process hands on to those that it forks.
    """
    os.makedirs(os.environ["HOME"], exist_ok=True)  # noqa: PTH103  # `pathlib` is slow to load
    if job.get("umask"):
        os.umask(int(job["umask"], 8))
    if job.get("cpus") and hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[: int(job["cpus"])])


def _send(channel: int, message: dict[str, Any]) -> None:
    data = json.dumps(message).encode("ascii") + b"\n"
    while data:
        data = data[os.write(channel, data) :]


def _supervise(channel: int, job: dict[str, Any], one: dict[str, Any]) -> None:
    nonce = os.urandom(16).hex()
    answer, answer_end = os.pipe()
    prints, prints_end = os.pipe()
    started = time.monotonic()
    pid = os.fork()
    if pid == 0:
        for descriptor in (channel, answer, prints):
            os.close(descriptor)
        os.dup2(prints_end, 2)
        os.close(prints_end)
        _property(job, one, answer_end, nonce)
    os.close(answer_end)
    os.close(prints_end)
    _send(channel, {"start": one["id"], "pid": pid})
    data, printed, status = _listen(pid, answer, prints, started + float(one["timeout"]))
    os.close(answer)
    os.close(prints)
    outcome = _outcome(data, nonce) or {"colour": ERROR, "detail": _ending(status, one, printed)}
    _send(channel, {"end": one["id"], "seconds": round(time.monotonic() - started, 4), **outcome})


def _listen(pid: int, answer: int, prints: int, deadline: float) -> tuple[bytes, bytes, int | None]:
    """
    Return the answer, the end of what was printed, and the exit code (None: it had to be stopped).
    """
    heard = _Heard(answer, prints)
    ended, code = 0, 0
    while not (heard.complete or ended) and time.monotonic() < deadline:
        heard.listen(_TICK if heard.open_ends else _TICK / 50)
        # Asked each time: what it started may keep the pipes open, or keep printing, when it is gone.
        ended, code = os.waitpid(pid, os.WNOHANG)
    late = not (heard.complete or ended)
    if late:
        os.kill(pid, signal.SIGABRT)  # faulthandler says where it stands
        heard.listen(_TICK)
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)
    if not ended:
        _, code = os.waitpid(pid, 0)
    _end_orphans()
    while heard.listen(0):
        pass
    return heard.data, heard.printed, None if late else os.waitstatus_to_exitcode(code)


def _adopt() -> None:
    """
    Become the parent of whatever a property leaves behind, so that it can be ended; Linux alone knows how.
    """
    if sys.platform == "linux":
        with contextlib.suppress(OSError, AttributeError, ImportError):
            importlib.import_module("ctypes").CDLL(None).prctl(36, 1, 0, 0, 0)  # PR_SET_CHILD_SUBREAPER


def _end_orphans() -> None:
    """
    End what left the property's process group; ending one may hand us its children.
    """
    try:
        while left := _children():
            for pid in left:
                os.kill(pid, signal.SIGKILL)
                os.waitpid(pid, 0)
    except OSError:
        pass  # no such list on this system; or another user's process


def _children() -> list[int]:
    me = os.getpid()
    with open(f"/proc/{me}/task/{me}/children", "rb") as file:  # noqa: PTH123  # `pathlib` is slow to load
        return [int(pid) for pid in file.read().split()]


class _Heard:
    """
    What came through the two pipes of one property.
    """

    def __init__(self, answer: int, prints: int) -> None:
        self.data = self.printed = b""
        self.open_ends = [answer, prints]
        self._prints = prints

    @property
    def complete(self) -> bool:
        return self.data.endswith(b"\n")

    def listen(self, seconds: float) -> bool:
        """
        Wait for more, and say whether any came.
        """
        ready, _, _ = select.select(self.open_ends, [], [], seconds)
        for end in ready:
            chunk = os.read(end, 65536)
            if not chunk:
                self.open_ends.remove(end)
            elif end == self._prints:
                self.printed = (self.printed + chunk)[-_KEPT:]
            elif len(self.data) < _LONGEST_ANSWER:
                self.data += chunk
        return bool(ready)


def _outcome(data: bytes, nonce: str) -> dict[str, Any] | None:
    """
    Return the answer if it is one, and says that it comes from this property's process.
    """
    if not data:
        return None
    try:
        ours, colour, words = data.decode("ascii").split(" ")
        if ours == nonce and colour in _COLOURS:
            return {"colour": colour, "detail": bytes.fromhex(words).decode("utf-8", "replace")}
    except ValueError:
        pass
    return {"colour": ERROR, "detail": "something other than the check wrote to the channel for its result"}


def _ending(status: int | None, one: dict[str, Any], printed: bytes) -> str:
    lines = [line.strip() for line in printed.decode("utf-8", "replace").splitlines()]
    place = next((line.removeprefix("File ") for line in lines if line.startswith("File ")), "")
    where = f", at {place}" if place else ""
    if status is None:
        return f"no answer within {float(one['timeout']):g} s{where}; a loop or a wait without end?"
    if status < 0:
        return f"the process died of {signal.Signals(-status).name} before it answered{where}"
    return f"the process exited with code {status} before it answered; it must return or raise instead"


# --------------------------------------------------------------------------------- the property's process


def _property(job: dict[str, Any], one: dict[str, Any], answer: int, nonce: str) -> None:
    """
    Run one property, write its answer, and end the process.
    """
    pid, getpid, write, leave = os.getpid(), os.getpid, os.write, os._exit
    untouched = Untouched()
    try:
        os.setsid()
        faulthandler.enable(2)
        _limit()
        watch = Watch(job["tree"], [one["module"].partition(".")[0]], one["clock"])
        install(watch)
        deeds = Deeds(watch)
        deeds.install()
        colour, detail = inventory_property.examine(job, one)
        if read := watch.sentence():
            colour, detail = ERROR, f"{read}{_cure(read)}"
        if done := deeds.sentence():
            detail = f"{detail} (it {done})" if detail else f"it {done}"
    except Trouble as error:
        colour, detail = ERROR, str(error)
    except BaseException as error:  # noqa: BLE001  # whatever it is, it is an answer
        colour, detail = ERROR, f"the worker failed: {said(error)}"
    if colour != RED and (replaced := untouched.replaced()):
        more = f" ({detail})" if detail else ""
        colour, detail = ERROR, f"the code under test replaced {replaced}{_UNTRUSTED}{more}"
    if getpid() != pid:
        leave(0)  # a fork that the property left running: it is not asked
    # Written without `json`, which is the project's to change.
    words = detail[:8000].encode("utf-8", "backslashreplace").hex()
    data = f"{nonce} {colour} {words}\n".encode("ascii")
    while data:
        data = data[write(answer, data) :]
    leave(0)


def _cure(read: str) -> str:
    if "live clock" in read:
        return "; set `clock:` on the property, or pass the time in"
    return "; pass a seeded generator in" if "randomness" in read else ""


def _limit() -> None:
    """
    No core files, and no more memory than any property needs; address space alone is not memory.
    """
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if sys.platform == "linux":
        _, hard = resource.getrlimit(resource.RLIMIT_DATA)
        most = min(_MEMORY, os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") * 3 // 4)
        most = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(resource.RLIMIT_DATA, (most, hard))
