"""
The one collection of tasks: `invoke TASK` and `oraclekeep TASK` are the same.
"""

from __future__ import annotations

import copy
import functools
import importlib
import io
import os
import sys
import traceback
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from invoke.collection import Collection
from invoke.exceptions import Exit
from invoke.exceptions import Failure as InvokeFailure

from oraclekeep.effects import uncollected
from oraclekeep.errors import Exit as Code
from oraclekeep.errors import GateError

if TYPE_CHECKING:
    from collections.abc import Callable

    from invoke.tasks import Task

#: Modules of `commands/`; each exposes `TASKS`.
TOPICS: Final = (
    "scoring", "judging", "inventory", "ledgers", "owning", "preparing", "adopting", "permitting", "writing",
    "proposing",
)  # fmt: skip


def bounded(body: Callable[..., Any]) -> Callable[..., Any]:
    """
    Put the error boundary around a task: what we could not judge ends as exit 2 with a sentence.
    """

    @functools.wraps(body)
    def run(*args: Any, **kwargs: Any) -> Any:
        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, io.TextIOWrapper):  # a terminal that lacks a letter must not end the answer
                stream.reconfigure(errors="backslashreplace")
        try:
            with uncollected():
                return body(*args, **kwargs)
        except GateError as error:
            raise Exit(message=f"oraclekeep: {error}", code=error.exit) from error
        except KeyboardInterrupt as error:
            raise Exit(message="oraclekeep: interrupted", code=Code.INTERRUPTED) from error
        except (Exit, InvokeFailure):
            raise
        except BrokenPipeError as error:  # as in `score | head`
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # what is left has no reader
            raise Exit(
                message="oraclekeep: nobody reads the answer to its end", code=Code.CANNOT_JUDGE
            ) from error
        except Exception as error:
            if refused := _refused(error):
                raise Exit(message=f"oraclekeep: {refused}", code=Code.CANNOT_JUDGE) from error
            traceback.print_exc(file=sys.stderr)
            raise Exit(
                message="oraclekeep: this is our own crash; nothing was judged", code=Code.CANNOT_JUDGE
            ) from error

    return run


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


def collection() -> Collection:
    """
    Build the collection anew; nothing is shared between callers.
    """
    found = Collection()
    for topic in TOPICS:
        tasks: tuple[Task[Any], ...] = importlib.import_module(f"oraclekeep.commands.{topic}").TASKS
        for task in tasks:
            inner = copy.copy(task)
            inner.body = bounded(task.body)
            found.add_task(inner)
    return found


namespace: Final = collection()
