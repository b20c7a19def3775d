"""
The only door to processes, to files that we write, and to the interpreter that we run in.
"""

from __future__ import annotations

import contextlib
import gc
import hashlib
import os
import selectors
import signal
import subprocess
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from oraclekeep.errors import GateError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

_TICK: Final = 0.1  # seconds between two looks at whether a program has ended


def run(
    argv: Sequence[str],
    *,
    cwd: Path,
    env: Mapping[str, str] | None = None,
    stdin: bytes | None = None,
    check: bool = True,
) -> subprocess.CompletedProcess[bytes]:
    """
    Run a program to its end with both outputs captured.

    Raises `CalledProcessError` for a non-zero exit unless ``check`` is false.
    """
    return subprocess.run(argv, cwd=cwd, env=env, input=stdin, capture_output=True, check=check)


@dataclass(frozen=True, slots=True)
class Ran:
    """
    What became of a program.  ``code`` is None where it was stopped, and ``stopped`` says why.
    """

    code: int | None
    out: bytes
    err: bytes
    stopped: str = ""


def run_at_most(
    argv: Sequence[str], *, cwd: Path, stdin: bytes, seconds: float, size: int, env: Mapping[str, str]
) -> Ran:
    """
    Run a program that may hang or flood: it and what it started are killed after a time, or a size of output.

    Raises `OSError` where it can't be started.
    """
    end = time.monotonic() + seconds
    with tempfile.TemporaryFile() as given:
        given.write(stdin)
        given.seek(0)
        process = subprocess.Popen(
            argv, cwd=cwd, env=env, stdin=given, start_new_session=True,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip
        with process, selectors.DefaultSelector() as selector:
            found = {pipe: bytearray() for pipe in (process.stdout, process.stderr) if pipe is not None}
            for pipe in found:
                selector.register(pipe, selectors.EVENT_READ)
            stopped = ""
            try:
                while not stopped and (selector.get_map() or process.poll() is None):
                    ended = process.poll() is not None
                    ready = selector.select(_TICK)
                    for key, _ in ready:
                        chunk = os.read(key.fd, 65536)
                        found[key.fileobj] += chunk  # type: ignore[index]  # one of the two pipes
                        if not chunk:
                            selector.unregister(key.fileobj)
                    if ended and not ready:  # what it left running may hold the pipes open
                        break
                    if any(len(data) > size for data in found.values()):
                        stopped = f"it printed more than {size} bytes"
                    elif time.monotonic() > end:
                        stopped = f"it did not end within {seconds:g} s"
            finally:
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.killpg(process.pid, signal.SIGKILL)
        out, err = (bytes(data) for data in found.values())
    return Ran(None if stopped else process.returncode, out, err, stopped)


def write_atomic(path: Path, data: str | bytes) -> None:
    """
    Readers see the old file or the new one, never half of either.

    Raises `GateError` that names the file where the disk refuses.
    """
    raw = data.encode("utf-8", "surrogateescape") if isinstance(data, str) else data
    tmp = ""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        fd, tmp = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".tmp")
        with os.fdopen(fd, "wb") as file:
            file.write(raw)
        if path.exists():
            os.chmod(tmp, path.stat().st_mode & 0o7777)  # noqa: PTH101  # same
        os.replace(tmp, path)  # noqa: PTH105  # the path is a plain string here
    except OSError as error:
        raise GateError(
            f"{path}: cannot write: {error.strerror}; free space or fix the permissions"
        ) from error
    finally:
        if tmp and os.path.exists(tmp):  # noqa: PTH110
            os.unlink(tmp)  # noqa: PTH108


def write_new(path: Path, text: str, *, executable: bool = False) -> None:
    """
    Write a file that is not there yet, whole or not at all; one that is there stays as it is.

    Raises `GateError` that names the file where there is one, or the disk refuses.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=path.parent, prefix=f".{path.name}.") as folder:
            written = Path(folder, "new")
            with written.open("x", encoding="utf-8", newline="\n") as file:
                file.write(text)
            if executable:
                written.chmod(written.stat().st_mode | 0o111)
            _name(written, path)
    except FileExistsError as error:
        raise GateError(f"{path}: is there already; it is not overwritten") from error
    except OSError as error:
        raise GateError(
            f"{path}: cannot write: {error.strerror}; free space or fix the permissions"
        ) from error


def _name(written: Path, path: Path) -> None:
    """
    Give a finished file its name.  A link refuses a name that is taken, which a rename would not.
    """
    try:
        os.link(written, path)
    except FileExistsError:
        raise
    except OSError:  # a disk without links
        with path.open("xb") as file:
            file.write(written.read_bytes())
        path.chmod(written.stat().st_mode & 0o7777)


def refuse_links(root: Path, paths: Iterable[str]) -> None:
    """
    Raise `GateError` where a file that is about to be written lies behind a link.
    """
    top = root.resolve()
    for path in paths:
        parent = (root / path).parent
        if parent.resolve() != top / parent.relative_to(root):
            raise GateError(f"{parent}: is a link, or lies behind one; put a plain folder there")


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


@contextlib.contextmanager
def uncollected() -> Iterator[None]:
    """
    Hold garbage collection back for one answer: nearly all that a score makes lives until it is given.
    """
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


@contextlib.contextmanager
def scratch_folder() -> Iterator[Path]:
    """
    A folder outside every repository that is gone afterwards.
    """
    with tempfile.TemporaryDirectory(prefix="oraclekeep-") as folder:
        yield Path(folder)
