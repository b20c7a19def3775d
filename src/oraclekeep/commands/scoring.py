"""
Tasks that read the patch and run nothing of it: `score`, `explain`, `power-of`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from invoke.tasks import task

from oraclekeep.commands.score import score as patch
from oraclekeep.commands.variadic import at_most_one

if TYPE_CHECKING:
    from invoke.context import Context

score = task(
    name="score",
    help={
        "base": "where the patch would land; else what CI names, else origin's main branch, else HEAD~1",
        "head": "the patch's tip",
        "pushed": "judge what a pre-push hook is about to push (PRE_COMMIT_TO_REF), else HEAD",
        "worktree": "judge the working copy instead of a commit",
        "watch": "judge the working copy, and again whenever it changes; Ctrl-C ends with the last exit code",
        "json": "print the answer as JSON (oraclekeep/score/1)",
        "format": "plain, json or github",
        "today": "the date to judge expiry by, YYYY-MM-DD",
        "intend-all": "for audits: take every changed production module as intended",
        "output": "also write the JSON to this file",
    },
)(patch)


@task(
    iterable=["row"],
    positional=["row"],
    help={
        "row": "the id of a row of the decision table; without one, all ids are listed",
        "json": "print JSON",
    },
)
def explain(_context: Context, row: list[str] | None = None, json: bool = False) -> None:
    """
    Say what a row of the decision table means, why it matters, and when a human may allow it.
    """
    from oraclekeep.reports.explaining import explained, listed

    row_id = at_most_one("row", row)
    print(explained(row_id, as_json=json) if row_id else listed(as_json=json))


@task(
    name="power-of",
    iterable=["ref"],
    positional=["ref"],
    help={"ref": "the tree to count; HEAD by default", "json": "print JSON (oraclekeep/power/1)"},
)
def power_of(_context: Context, ref: list[str] | None = None, json: bool = False) -> None:
    """
    Count the oracles that a tree's tests hold, by kind and by test.
    """
    from pathlib import Path

    from oraclekeep.power import power_of as count
    from oraclekeep.reports.explaining import power_text

    print(power_text(count(Path.cwd(), at_most_one("ref", ref) or "HEAD"), as_json=json))


TASKS = (score, explain, power_of)
