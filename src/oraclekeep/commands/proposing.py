"""
`propose` and `promote`: candidates for properties, and the way of one into the inventory.
"""

from __future__ import annotations

import json as jsonlib
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

from invoke import tasks

from oraclekeep.errors import UsageError

if TYPE_CHECKING:
    from invoke.context import Context

_PROPOSER_SECONDS: Final = 120.0


@tasks.task(
    help={
        "base": "Where the patch would land; else what CI names, else origin's main branch, else HEAD~1.",
        "head": "The patch's tip.",
        "worktree": "Look at the working copy instead of a commit.",
        "timeout": "Seconds for the `proposer` of base's oracle/gate.yaml.",
        "python": "The interpreter that runs the candidates; the one that runs the kit if not given.",
        "only-green": "Write only candidates that hold.",
        "dry-run": "Run and show the candidates, and write nothing.",
        "json": "Print the answer as JSON.",
    },
)
def propose(
    _: Context,
    base: str = "",
    head: str = "HEAD",
    worktree: bool = False,
    timeout: float = _PROPOSER_SECONDS,
    python: str = "",
    only_green: bool = False,
    dry_run: bool = False,
    json_: bool = False,
) -> None:
    """
    Propose properties for the functions that a patch changed, run them, and queue them.
    """
    from oraclekeep import pipeline
    from oraclekeep.commands.inventory import progress
    from oraclekeep.days import day
    from oraclekeep.proposing import report
    from oraclekeep.proposing.propose import Options
    from oraclekeep.proposing.propose import propose as look

    if timeout <= 0:
        raise UsageError(f"--timeout {timeout:g}: more than 0 seconds")
    options = Options(
        seconds=timeout,
        python=python or sys.executable,
        only_green=only_green,
        dry_run=dry_run,
        progress=progress(),
    )
    found = look(pipeline.Request(Path.cwd(), day(""), base, head, worktree), options)
    sys.stdout.write(
        jsonlib.dumps(report.as_json(found), indent=2) + "\n" if json_ else report.as_text(found)
    )


@tasks.task(
    positional=["ident"],
    help={
        "ident": "The candidate's id.",
        "note": "What the property says, and why it is kept, in words.",
        "seed": "Its seed; the one after the inventory's highest if not given.",
        "pending": "Take a red candidate: it votes from the first merge at which it passes.",
        "python": "The interpreter that runs it; the one that runs the kit if not given.",
        "today": "The date to judge by, as YYYY-MM-DD; today in UTC if not given.",
        "json": "Print the answer as JSON.",
    },
)
def promote(
    _: Context,
    ident: str,
    note: str = "",
    seed: str = "",
    pending: bool = False,
    python: str = "",
    today: str = "",
    json_: bool = False,
) -> None:
    """
    Move one candidate into the inventory, with a seed and a locked fixture.
    """
    from oraclekeep.commands.inventory import progress
    from oraclekeep.days import day
    from oraclekeep.proposing import report
    from oraclekeep.proposing.promote import Wish, write
    from oraclekeep.proposing.promote import promote as work_out

    if not note.strip():
        raise UsageError("a property says what it is kept for: give --note")
    if seed and not seed.removeprefix("-").isdecimal():
        raise UsageError(f"--seed {seed!r} is not an integer")
    wish = Wish(
        ident=ident,
        note=" ".join(note.split()),
        today=day(today),
        seed=int(seed) if seed else None,
        pending=pending,
        python=python or sys.executable,
        progress=progress(),
    )
    found = work_out(Path.cwd(), wish)
    write(found)
    sys.stdout.write(
        jsonlib.dumps(report.promotion_json(found), indent=2) + "\n"
        if json_
        else report.promotion_text(found)
    )


TASKS: Final = (propose, promote)
