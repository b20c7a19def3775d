"""
`inventory` and `classify`: run the properties of a working copy, and compare two runs.
"""

from __future__ import annotations

import datetime as dt
import json as jsonlib
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

from invoke import tasks
from invoke.exceptions import Exit

from oraclekeep.errors import Exit as Code
from oraclekeep.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable

    from invoke.context import Context


@tasks.task(
    optional=["json"],
    iterable=["only", "vary"],
    help={
        "repeat": "How many fresh processes a property runs in; `repeats` of oracle/gate.yaml if not given.",
        "json": "Write the run as JSON to this file; `-`, or no name, prints it.",
        "junit": "Write the run as JUnit to this file.",
        "tree": "Run the inventory of this folder; the current one if not given.",
        "python": "The interpreter of the workers; the one that runs the kit if not given.",
        "only": "Run only the property of this id; may be given more than once.",
        "vary": "Change one pin, as in hash-seed=1 (may be given more than once); --diagnose says which.",
        "diagnose": "Replay each property under variations, one at a time, and say which flips it.",
        "today": "The date for freezes, as YYYY-MM-DD; today in UTC if not given.",
    },
)
def inventory(
    _: Context,
    repeat: int = 0,
    json: str | bool = "",  # given without a name it is True
    junit: str = "",
    tree: str = ".",
    python: str = "",
    only: list[str] | None = None,
    vary: list[str] | None = None,
    diagnose: bool = False,
    today: str = "",
) -> None:
    """
    Run every property of the inventory in pinned processes and say its class.
    """
    from oraclekeep.effects import write_atomic
    from oraclekeep.inventory import report
    from oraclekeep.inventory.runner import earlier_commits, run_working_copy
    from oraclekeep.lanekit.inventory_junit import junit_of
    from oraclekeep.lanekit.inventory_runner import Settings
    from oraclekeep.lanekit.variations import problem

    if repeat < 0:
        raise UsageError(f"--repeat {repeat}: at least 1 run is needed")
    if wrong := problem(vary or ()):
        raise UsageError(f"--vary {wrong}")
    if diagnose and repeat == 1:
        raise UsageError("--diagnose needs 2 repeats or more, to tell what wobbles by itself")
    root = Path(tree).resolve()
    settings = Settings(
        tree=root,
        today=_date(today),
        python=python or sys.executable,
        repeats=repeat,
        vary=tuple(vary or ()),
        diagnose=diagnose,
        progress=progress(),
    )
    with earlier_commits(root, os.environ) as earlier:
        found = run_working_copy(settings, only=only or (), earlier=earlier)
    settings.progress("")
    printed = json in (True, "-")
    text = jsonlib.dumps(found, indent=1, ensure_ascii=False) + "\n"
    if json and not printed:
        write_atomic(Path(str(json)).absolute(), text)
    if junit:
        write_atomic(Path(junit).absolute(), junit_of(found, "inventory"))
    sys.stdout.write(text if printed else report.lines_of(found))
    if any(map(report.blocks, found["properties"])):
        raise Exit(code=Code.REJECT)


@tasks.task(
    positional=["first", "second"],
    help={
        "first": "One run: JSON of `inventory`, or a plain list of rows.",
        "second": "The other run.",
        "json": "Print the comparison as JSON.",
    },
)
def classify(
    _: Context,
    first: str,
    second: str,
    json: bool = False,
) -> None:
    """
    Compare two runs of the inventory property by property.
    """
    from oraclekeep.inventory import report
    from oraclekeep.inventory.classify import compare

    compared = compare(report.read_rows(Path(first)), report.read_rows(Path(second)))
    if not compared:
        raise UsageError(f"{first} and {second} hold no property; there is nothing to compare")
    if json:
        sys.stdout.write(jsonlib.dumps(report.comparison_json(compared), indent=1, ensure_ascii=False) + "\n")
    else:
        sys.stdout.write(report.lines_of_comparison(compared))
    if any(one.blocks for one in compared):
        raise Exit(code=Code.REJECT)


def progress() -> Callable[[str], None]:
    """
    Return what shows on a terminal which property runs; elsewhere nothing does.
    """
    if not sys.stderr.isatty():
        return lambda _: None
    started = 0

    def show(name: str) -> None:
        nonlocal started
        started += 1
        sys.stderr.write(f"\r\x1b[K{started}  {name[:60]}" if name else "\r\x1b[K")
        sys.stderr.flush()

    return show


def _date(text: str) -> dt.date:
    try:
        return dt.date.fromisoformat(text) if text else dt.datetime.now(dt.UTC).date()
    except ValueError as error:
        raise UsageError(f"--today {text!r} is not a date; write it as YYYY-MM-DD") from error


TASKS: Final = (inventory, classify)
