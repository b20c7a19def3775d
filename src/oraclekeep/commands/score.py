"""
The body of the task `score`, which the program also runs without Invoke (`quick.py`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from oraclekeep.commands.answers import Answer

FORMATS = ("plain", "json", "github")


def score(
    _context: object,
    base: str = "",
    head: str = "HEAD",
    pushed: bool = False,
    worktree: bool = False,
    watch: bool = False,
    json: bool = False,
    format: str = "plain",
    today: str = "",
    intend_all: bool = False,
    output: str = "",
) -> int:
    """
    Score what the patch did to the suite's oracle power.
    """
    import os
    import sys
    from pathlib import Path

    from oraclekeep import pipeline
    from oraclekeep.commands.answers import OBSERVED, answered, watched
    from oraclekeep.days import day
    from oraclekeep.errors import UsageError

    if format not in FORMATS:
        raise UsageError(f"--format {format!r} is not known; it is one of {', '.join(FORMATS)}")
    if sum((worktree or watch, pushed, head != "HEAD")) > 1:
        raise UsageError("--head, --pushed and --worktree (or --watch) each say what is judged: give one")
    if pushed:  # what is pushed need not be what is checked out
        head = os.environ.get("PRE_COMMIT_TO_REF") or "HEAD"
    form = "json" if json else format

    def answer() -> Answer:
        request = pipeline.Request(Path.cwd(), day(today), base, head, worktree or watch, intend_all)
        return answered(pipeline.score(request), output)

    if watch:
        return watched(answer, form)
    found = answer()
    print(found.shown(form))
    if found.is_observed:
        print(OBSERVED, file=sys.stderr)
    return found.code
