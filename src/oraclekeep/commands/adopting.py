"""
`init` and `doctor`: bring the gate into a repository, and see whether it is well there.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

from invoke import tasks

if TYPE_CHECKING:
    from invoke.context import Context


@tasks.task(
    iterable=["owner"],
    help={
        "dry-run": "Show what would be written, and write nothing.",
        "ci": "The CI systems to write a file for, as in github,gitlab, or none; else those in use.",
        "kit": "Where the lanes install the kit from: a version, a folder, a wheel or a URL.",
        "mode": "enforce, or observe: say what would be rejected and exit 0, for the first weeks.",
        "owner": "Who owns the gate's files, as CODEOWNERS has it (@org/team); may be given more than once.",
        "json": "Print what was found and written as JSON.",
    },
)
def init(
    _: Context,
    dry_run: bool = False,
    ci: str = "",
    kit: str = "",
    mode: str = "enforce",
    owner: list[str] | None = None,
    json_: bool = False,
) -> None:
    """
    Adopt the gate in this repository; where it is adopted, show what a newer kit would change, as a diff.
    """
    from oraclekeep.adopting.plan import Wishes
    from oraclekeep.adopting.report import as_json, by_hand_text, found_text, next_text, planned_text
    from oraclekeep.adopting.run import first_score, look, to_commit, write
    from oraclekeep.git import Repo
    from oraclekeep.locking import relock
    from oraclekeep.locking import write as write_locks

    repo = Repo.at(Path.cwd())
    found = look(repo, Wishes(kit=kit, mode=mode, owners=tuple(owner or ())), ci or None)
    told = sys.stderr if found.adopted or json_ else sys.stdout
    told.write(found_text(found))
    if found.adopted:
        if json_:
            sys.stdout.write(json.dumps(as_json(found, written=False), indent=2) + "\n")
            return
        told.write(planned_text(found))
        sys.stdout.write(found.plan.diff())  # `oraclekeep init | git apply` takes it over
        return
    told.write(planned_text(found))
    if dry_run:
        told.write("nothing was written (--dry-run)\n" + by_hand_text(found))
        if json_:
            sys.stdout.write(json.dumps(as_json(found, written=False), indent=2) + "\n")
        return
    write(repo, found.plan)
    locks = relock(repo, "")
    write_locks(repo, locks)
    told.write("".join(f"locked  {one.unit.name}: {one.after}\n" for one in locks.changes))
    told.write(first_score(repo))
    paths = to_commit(repo, found.plan)
    told.write(next_text(found, paths))
    if json_:
        sys.stdout.write(json.dumps(as_json(found, written=True, paths=paths), indent=2) + "\n")


@tasks.task(
    help={
        "within": "Also name the exceptions that lapse within this many days.",
        "today": "The date to judge by, as YYYY-MM-DD; today in UTC if not given.",
        "json": "Print the answer as JSON.",
    }
)
def doctor(
    _: Context,
    within: int = 14,
    today: str = "",
    json_: bool = False,
) -> None:
    """
    Say whether this repository is gated well; exit 1 while the gate has a hole.
    """
    from invoke.exceptions import Exit

    from oraclekeep.days import day
    from oraclekeep.doctor import BAD, as_json, as_text, examine
    from oraclekeep.errors import Exit as Code
    from oraclekeep.git import Repo

    items = examine(Repo.at(Path.cwd()), day(today), within)
    sys.stdout.write(json.dumps(as_json(items), indent=2) + "\n" if json_ else as_text(items))
    if any(item.level == BAD for item in items):
        raise Exit(code=Code.REJECT)


TASKS: Final = (init, doctor)
