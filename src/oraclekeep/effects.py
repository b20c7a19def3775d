"""
The only door to processes, to files that we write, and to the interpreter that we run in.
"""

from __future__ import annotations

import contextlib
import gc
import hashlib
import os
import subprocess
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from oraclekeep.errors import GateError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence


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
    Write a file that is not there yet; one that is stays as it is.

    Raises `GateError` that names the file where there is one, or the disk refuses.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("x", encoding="utf-8", newline="\n") as file:
            file.write(text)
        if executable:
            path.chmod(path.stat().st_mode | 0o111)
    except FileExistsError as error:
        raise GateError(f"{path}: is there already; it is not overwritten") from error
    except OSError as error:
        raise GateError(
            f"{path}: cannot write: {error.strerror}; free space or fix the permissions"
        ) from error


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
