"""
`verdict` and `outcomes`: what the lanes came to, and what the gate reads in JUnit files.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

from invoke.exceptions import Exit as Leave
from invoke.tasks import task

import oraclekeep.commands.variadic  # noqa: F401  # `outcomes` takes any number of files

if TYPE_CHECKING:
    from invoke.context import Context


@task(
    iterable=["junit"],
    help={
        "junit": "LANE=FILE: judge this report and not those under .gate/; repeatable, globs for shards.",
        "json": "Print verdict.json.",
        "base": "The commit that the patch would land on: with it, run.json is derived anew and must agree.",
        "head": "The patch's last commit; HEAD if not given.",
        "worktree": "Judge the working copy, committed or not.",
        "today": "The date for ledgers, as YYYY-MM-DD.",
    },
)
def verdict(
    _: Context,
    junit: list[str] | None = None,
    json: bool = False,
    base: str = "",
    head: str = "",
    worktree: bool = False,
    today: str = "",
) -> None:
    """
    Join score, lanes and witness to one verdict; its exit code is the decision.
    """
    from oraclekeep.effects import write_atomic
    from oraclekeep.judging import gate_folder, judge_run
    from oraclekeep.prepare import Request
    from oraclekeep.reports import FILES, REPORTERS
    from oraclekeep.reports.text import terminal

    gate = gate_folder(Path.cwd())
    for name in FILES:
        (gate / f"verdict.{name}").unlink(missing_ok=True)
    wishes = Request(base=base, head=head, worktree=worktree, today=today)
    asked = wishes if base or head or worktree or today else None
    judged = judge_run(gate, Path.cwd(), junit or (), asked)
    for name in FILES:
        write_atomic(gate / f"verdict.{name}", REPORTERS[name](judged.document))
    shown = (
        REPORTERS["json"](judged.document) if json else terminal(judged.document, color=sys.stdout.isatty())
    )
    sys.stdout.write(shown)
    if judged.exit:
        raise Leave(code=int(judged.exit))


@task(
    iterable=["files"],
    positional=["files"],
    help={"files": "JUnit files; globs are fine.", "json": "Print the answer as JSON."},
)
def outcomes(
    _: Context,
    files: list[str] | None = None,
    json: bool = False,
) -> None:
    """
    Print what the gate reads in JUnit files: 0 all pass, 1 something red, 2 unreadable.
    """
    from oraclekeep.judging import read_outcomes

    text, code = read_outcomes(Path.cwd(), files or (), json=json)
    sys.stdout.write(text)
    if code:
        raise Leave(code=int(code))


TASKS: Final = (verdict, outcomes)
