"""
What an owner allows: `quarantine`, `intent`, `allow`, `announce`.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

from invoke import tasks

import oraclekeep.commands.variadic  # noqa: F401  # `intent` and `allow` take any number of words
from oraclekeep.errors import UsageError

if TYPE_CHECKING:
    import datetime as dt

    from invoke.context import Context

    from oraclekeep.permitting import Desk, Edit

_DATES: Final = {
    "today": "The date to judge by, as YYYY-MM-DD; today in UTC if not given.",
    "json": "Print the rows as JSON.",
}


@tasks.task(
    positional=["nodeid"],
    help={
        "nodeid": "The exact nodeid of one test.",
        "issue": "The issue that tracks the repair.",
        "expires": "The day from which it votes again, as YYYY-MM-DD.",
        "reason": "Why, in words.",
        "points": "What it costs against `debit_cap`.",
        "owner": "Who repairs it.",
        **_DATES,
    },
)
def quarantine(
    _: Context,
    nodeid: str,
    issue: str = "",
    expires: str = "",
    reason: str = "",
    points: int = 1,
    owner: str = "",
    today: str = "",
    json_: bool = False,
) -> None:
    """
    Let one test not vote until a day.
    """
    from oraclekeep.days import day
    from oraclekeep.permitting import Quarantine, open_desk
    from oraclekeep.permitting import quarantine as work_out

    wish = Quarantine(
        nodeid=nodeid,
        issue=_given("issue", issue),
        reason=_given("reason", reason),
        expires=_day(expires),
        points=points,
        owner=owner.strip(),
    )
    desk = open_desk(Path.cwd())
    _finish(desk, work_out(desk, wish, day(today)), as_json=json_)


@tasks.task(
    iterable=["paths"],
    positional=["paths"],
    help={
        "paths": "Files of production code, or folders.",
        "issue": "The issue that asks for it.",
        "expires": "The day from which it no longer counts, as YYYY-MM-DD.",
        **_DATES,
    },
)
def intent(
    _: Context,
    paths: list[str] | None = None,
    issue: str = "",
    expires: str = "",
    today: str = "",
    json_: bool = False,
) -> None:
    """
    Allow that modules change what they do, so that their tests may expect something else.
    """
    from oraclekeep.days import day
    from oraclekeep.permitting import intend, open_desk

    desk = open_desk(Path.cwd())
    until = _day(expires) if expires else None
    edit = intend(desk, paths or (), Path.cwd(), issue=issue.strip(), expires=until, today=day(today))
    _finish(desk, edit, as_json=json_)


@tasks.task(
    iterable=["words"],
    positional=["words"],
    help={
        "words": "ROW and then what it is allowed for: nodeids, properties or paths.",
        "issue": "The issue that asks for it.",
        "expires": "The day from which it no longer counts, as YYYY-MM-DD.",
        "reason": "Why, in words.",
        **_DATES,
    },
)
def allow(
    _: Context,
    words: list[str] | None = None,
    issue: str = "",
    expires: str = "",
    reason: str = "",
    today: str = "",
    json_: bool = False,
) -> None:
    """
    Allow what one row of the decision table rejects, for tests, properties or paths that are named.
    """
    from oraclekeep.days import day
    from oraclekeep.permitting import Leave, open_desk
    from oraclekeep.permitting import allow as work_out

    row, *targets = words or ("",)
    if not row:
        raise UsageError(
            "say which row, and for what: `oraclekeep allow ROW NODEID`; `explain` lists the rows"
        )
    leave = Leave(
        row=row, issue=_given("issue", issue), reason=_given("reason", reason), expires=_day(expires)
    )
    desk = open_desk(Path.cwd())
    _finish(desk, work_out(desk, leave, targets, day(today)), as_json=json_)


@tasks.task(
    positional=["tree"],
    help={
        "tree": "A frozen tree, or a frozen file.",
        "reason": "Why the bytes change, in words.",
        "ref": "The commit that has the new bytes, as a patch's branch; else the working copy.",
        "json": "Print the row as JSON.",
    },
)
def announce(
    _: Context,
    tree: str,
    reason: str = "",
    ref: str = "",
    json_: bool = False,
) -> None:
    """
    Announce the bytes that a frozen tree will have, so that a patch may bring them together with its code.
    """
    from oraclekeep.permitting import announce as work_out
    from oraclekeep.permitting import open_desk

    why = _given("reason", reason)
    desk = open_desk(Path.cwd())
    _finish(desk, work_out(desk, tree, why, ref), as_json=json_)


def _given(option: str, text: str) -> str:
    if not text.strip():
        raise UsageError(f"an exception says why: give --{option}")
    return text.strip()


def _day(text: str) -> dt.date:
    from oraclekeep.days import day

    if not text:
        raise UsageError("an exception ends some day: give --expires YYYY-MM-DD")
    return day(text, "--expires")


def _finish(desk: Desk, edit: Edit, *, as_json: bool) -> None:
    """
    Write the file and say what to commit.
    """
    from oraclekeep.permitting import write

    write(desk, edit)
    if as_json:
        answer = {
            "schema": "oraclekeep/edit/1",
            "path": edit.path,
            "rows": list(edit.rows),
            "commands": list(edit.commands()),
        }
        sys.stdout.write(json.dumps(answer, indent=2, ensure_ascii=False) + "\n")
        return
    count = "1 row" if len(edit.rows) == 1 else f"{len(edit.rows)} rows"
    sys.stdout.write(f"{edit.path}: {count} more\n" + "".join(f"{line}\n" for line in edit.remarks))
    sys.stdout.write("then, in a commit of its own:\n" + "".join(f"  {one}\n" for one in edit.commands()))


TASKS: Final = (quarantine, intent, allow, announce)
