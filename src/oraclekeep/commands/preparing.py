"""
`prepare`: everything under `.gate/` that the lanes and the verdict start from.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

from invoke import tasks

if TYPE_CHECKING:
    from invoke.context import Context


@tasks.task(
    help={
        "base": "What the patch would land on; if not given: CI's target, origin's main branch, HEAD~1.",
        "head": "The patch's last commit; HEAD if not given.",
        "worktree": "Judge the working copy, committed or not.",
        "today": "The date for ledgers, as YYYY-MM-DD; today in UTC if not given.",
        "fresh": "Start a new run even where the last one matches.",
        "json": "Print run.json.",
    }
)
def prepare(
    _: Context,
    base: str = "",
    head: str = "",
    worktree: bool = False,
    today: str = "",
    fresh: bool = False,
    json_: bool = False,
) -> None:
    """
    Assemble the lanes' trees and write `.gate/run.json`.
    """
    from oraclekeep.prepare import Request
    from oraclekeep.prepare import prepare as assemble

    request = Request(base=base, head=head, worktree=worktree, today=today, fresh=fresh)
    prepared = assemble(Path.cwd(), request, os.environ)
    if json_:
        sys.stdout.write(json.dumps(prepared.run, indent=2) + "\n")
        return
    lanes = ", ".join(prepared.run["lanes"])
    sys.stdout.write("".join(f"oraclekeep: {line}\n" for line in (*prepared.notes, f"lanes: {lanes}")))


TASKS: Final = (prepare,)
