"""
The one collection of tasks: `invoke TASK` and `oraclekeep TASK` are the same.
"""

from __future__ import annotations

import copy
import functools
import importlib
from typing import TYPE_CHECKING, Any, Final

from invoke.collection import Collection
from invoke.exceptions import Exit
from invoke.exceptions import Failure as InvokeFailure

from oraclekeep.boundary import ended

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
    Put the error boundary around a task, and turn what ends there into Invoke's own way to end.
    """

    @functools.wraps(body)
    def run(*args: Any, **kwargs: Any) -> None:
        code, message = ended(lambda: body(*args, **kwargs), Exit, InvokeFailure)
        if code:
            raise Exit(message=message or None, code=code)

    return run


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
