"""
`freeze` and `expiry`: the owner's exceptions, and what becomes of them.
"""

from __future__ import annotations

import glob
import json as jsonlib
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

from invoke import tasks
from invoke.exceptions import Exit

from oraclekeep.errors import Exit as Code
from oraclekeep.errors import MissingEvidence, UsageError

if TYPE_CHECKING:
    from invoke.context import Context

#: Where the lane leaves its run.
_RUN: Final = ".gate/evidence/inventory.json"


@tasks.task(
    positional=["property_id"],
    help={
        "property_id": "The property to freeze.",
        "reason": "Why, in words.",
        "expires": "The day from which it votes again, as YYYY-MM-DD.",
        "points": "What it costs against `debit_cap`.",
        "run": f"The run that shows it: JSON of `invoke inventory`, or a lane's evidence ({_RUN}).",
        "today": "The date for the horizon, as YYYY-MM-DD; today in UTC if not given.",
        "json": "Print the row as JSON.",
    },
)
def freeze(
    _: Context,
    property_id: str,
    reason: str = "",
    expires: str = "",
    points: int = 1,
    run: str = "",
    today: str = "",
    json_: bool = False,
) -> None:
    """
    Add a freeze of one triple, with the digest and the repeats of its last run.
    """
    from oraclekeep.days import day
    from oraclekeep.freezing import Request, write
    from oraclekeep.freezing import freeze as work_out
    from oraclekeep.git import Repo

    if not reason.strip() or not expires:
        raise UsageError("a freeze has a --reason and a day on which it --expires; give both")
    if points < 1:
        raise UsageError(f"--points {points}: a freeze costs at least 1")
    request = Request(
        property_id=property_id,
        reason=reason.strip(),
        expires=day(expires, "--expires"),
        points=points,
        today=day(today),
    )
    root = Repo.at(Path.cwd()).root
    found = work_out(root, Path(run) if run else root / _RUN, request)
    write(root, found)
    if json_:
        answer = {"schema": "oraclekeep/freeze/1", "row": dict(found.row), "commands": list(found.commands())}
        sys.stdout.write(jsonlib.dumps(answer, indent=2, ensure_ascii=False) + "\n")
        return
    row, used = found.row, f"{found.used} of {found.cap} points are used"
    sys.stdout.write(
        f"{row['property_id']} does not vote until {row['expires_on']}; {used}\n"
        "then, in a commit of its own:\n" + "".join(f"  {line}\n" for line in found.commands())
    )


@tasks.task(
    iterable=["runs"],
    help={
        "within": "Also list the rows that lapse within this many days.",
        "strict": "Exit 1 for those as well: a schedule that stays green warns nobody.",
        "runs": f"Runs in which frozen properties may have been green ({_RUN}); a pattern, more than once.",
        "ref": "The commit whose ledgers are read.",
        "today": "The date to judge by, as YYYY-MM-DD; today in UTC if not given.",
        "json": "Print the answer as JSON.",
    },
)
def expiry(
    _: Context,
    within: int = 14,
    strict: bool = False,
    runs: list[str] | None = None,
    ref: str = "HEAD",
    today: str = "",
    json_: bool = False,
) -> None:
    """
    List the rows of both ledgers by date; exit 1 while one has lapsed, with --strict before that.
    """
    from oraclekeep.days import day
    from oraclekeep.expiry import expiry as look
    from oraclekeep.freezing import rows_of
    from oraclekeep.git import Repo, TreeSnapshot

    if within < 0:
        raise UsageError(f"--within {within}: 0 or more days")
    repo = Repo.at(Path.cwd())
    with repo.blobs() as blobs:
        tree = TreeSnapshot(repo, blobs, repo.resolve(ref))
        found = look(tree, day(today), within, [rows_of(path) for path in _files(repo.root, runs or [])])
    sys.stdout.write(
        jsonlib.dumps(found.to_json(), indent=2, ensure_ascii=False) + "\n" if json_ else found.to_text()
    )
    if found.lapsed or (strict and found.soon):
        raise Exit(code=Code.REJECT)


def _files(root: Path, patterns: list[str]) -> list[Path]:
    """
    Return the files that patterns name; without one, the lane's own run where there is one.
    """
    if not patterns:
        return [path for path in (root / _RUN,) if path.is_file()]
    found = []
    for pattern in patterns:
        paths = sorted(glob.glob(pattern, recursive=True))  # noqa: PTH207  # a pattern may be absolute
        if not paths:
            raise MissingEvidence(f"--runs {pattern}: no such file")
        found += [Path(path) for path in paths]
    return found


TASKS: Final = (freeze, expiry)
