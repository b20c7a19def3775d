"""
The `oraclekeep` program: Invoke's own program over our collection, with our exit codes.
"""

from __future__ import annotations

import gc
import os
import sys
from typing import TYPE_CHECKING

from invoke.exceptions import Exit, ParseError
from invoke.program import Program

import oraclekeep
from oraclekeep.completion import answer
from oraclekeep.errors import Exit as Code
from oraclekeep.invoke_tasks import collection

if TYPE_CHECKING:
    from collections.abc import Sequence


class Gate(Program):
    """
    Invoke exits 1 where the command line makes no sense; that code is taken by "looked and refused".
    """

    def parse_core(self, argv: list[str] | None) -> None:
        try:
            super().parse_core(argv)
        except ParseError as error:
            raise Exit(message=f"oraclekeep: {error}", code=Code.CANNOT_JUDGE) from error

    def parse_cleanup(self) -> None:
        try:
            super().parse_cleanup()
        except ParseError as error:
            raise Exit(message=f"oraclekeep: {error}", code=Code.CANNOT_JUDGE) from error

    def parse_tasks(self) -> None:
        try:
            super().parse_tasks()
        except ParseError as error:
            raise Exit(
                message=f"oraclekeep: {error}; `oraclekeep --list` shows the tasks", code=Code.CANNOT_JUDGE
            ) from error


def main(argv: Sequence[str] | None = None) -> int:
    """
    Run the program and return its exit code: 0 allow, 1 reject, 2 could not judge, 130 interrupted.
    """
    if argv is None:  # the process is ours, and nearly all that a score makes lives until it is given
        gc.disable()
    words = list(sys.argv[1:] if argv is None else argv)
    asked = not {"--version", "-V"}.isdisjoint(words)  # reading our own metadata costs what few callers need
    version = oraclekeep.__version__ if asked else ""
    tasks = collection()
    program = Gate(namespace=tasks, name="oraclekeep", binary="oraclekeep", version=version)
    try:
        told = answer(words, tasks.task_names)
        if told is None:
            program.run(["oraclekeep", *words])
        sys.stdout.write(told or "")
        sys.stdout.flush()
    except SystemExit as end:
        if end.code is None:
            return Code.ALLOW
        return end.code if isinstance(end.code, int) else Code.CANNOT_JUDGE
    except KeyboardInterrupt:
        return Code.INTERRUPTED
    except BrokenPipeError:  # as in `oraclekeep --list | head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # what is left has no reader
        return Code.CANNOT_JUDGE
    finally:
        gc.freeze()  # the process ends: nothing of a large score is worth looking through once more
    return Code.ALLOW
