"""
Invoke's own program over our collection, with our exit codes.
"""

from __future__ import annotations

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


def run(words: Sequence[str]) -> str:
    """
    Run a task, or return what a shell asked for; ends with `SystemExit` wherever a task has not allowed.
    """
    asked = not {"--version", "-V"}.isdisjoint(words)  # reading our own metadata costs what few callers need
    version = oraclekeep.__version__ if asked else ""
    tasks = collection()
    told = answer(words, tasks.task_names)
    if told is None:
        program = Gate(namespace=tasks, name="oraclekeep", binary="oraclekeep", version=version)
        program.run(["oraclekeep", *words])
    return told or ""
