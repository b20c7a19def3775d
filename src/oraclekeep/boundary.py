"""
The one error boundary: what we could not judge ends as exit 2 with a sentence.
"""

from __future__ import annotations

import io
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from oraclekeep.effects import uncollected
from oraclekeep.errors import Exit, GateError

if TYPE_CHECKING:
    from collections.abc import Callable


def ended(body: Callable[[], int | None], *let_through: type[BaseException]) -> tuple[int, str]:
    """
    Run a task to its end; return its exit code, and what to tell the user where it could not judge.

    Only the errors of ``let_through`` leave it.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # a terminal that lacks a letter must not end the answer
            stream.reconfigure(errors="backslashreplace")
    try:
        with uncollected():
            return body() or Exit.ALLOW, ""
    except let_through:
        raise
    except GateError as error:
        return error.exit, f"oraclekeep: {error}"
    except KeyboardInterrupt:
        return Exit.INTERRUPTED, "oraclekeep: interrupted"
    except BrokenPipeError:  # as in `score | head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # what is left has no reader
        return Exit.CANNOT_JUDGE, "oraclekeep: nobody reads the answer to its end"
    except Exception as error:  # noqa: BLE001  # the last word is ours, whatever happened
        if refused := _refused(error):
            return Exit.CANNOT_JUDGE, f"oraclekeep: {refused}"
        import traceback  # noqa: PLC0415  # start-up counts

        traceback.print_exc(file=sys.stderr)
        return Exit.CANNOT_JUDGE, "oraclekeep: this is our own crash; nothing was judged"


def _refused(error: Exception) -> str:
    """
    Say what the disk refused below `.gate/`, where we write; any other error of the system is ours.
    """
    if not isinstance(error, OSError) or not isinstance(error.filename, (str, bytes)):
        return ""
    name = os.fsdecode(error.filename)
    if ".gate" not in Path(name).parts:
        return ""
    return f"{name}: {error.strerror}; give this user leave to write there, or delete .gate and run again"
