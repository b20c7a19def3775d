"""
The owner's commands that write human-owned files.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

from invoke import tasks
from invoke.exceptions import Exit

if TYPE_CHECKING:
    from invoke.context import Context

    from oraclekeep.locking import Relock


@tasks.task(
    help={
        "note": "Why the bytes changed; adds the note that a lock must come with to oracle/intent.json.",
        "check": "Write nothing; exit 1 where a lock is stale.",
        "tree": "The working tree to lock, if not this one.",
        "json": "Print what was found as JSON.",
    }
)
def lock(
    _: Context,
    note: str = "",
    check: bool = False,
    tree: str = "",
    json_: bool = False,
) -> None:
    """
    Write the digests of the frozen inputs, as Git would store them, into both locks.
    """
    from oraclekeep.git import Repo
    from oraclekeep.locking import relock, write

    repo = Repo.at(Path(tree) if tree else Path.cwd())
    found = relock(repo, note.strip())
    if not check:
        write(repo, found)
    sys.stdout.write(_as_json(found, note.strip()) if json_ else _as_text(found, note.strip(), check=check))
    if check and found.changes:
        raise Exit(code=1)


def _as_json(found: Relock, note: str) -> str:
    answer = {
        "schema": "oraclekeep/lock/1",
        "changes": [
            {change.unit.kind: change.unit.name, "before": change.before, "after": change.after}
            for change in found.changes
        ],
        "files": [path for path, _ in found.files],
        "properties": list(found.properties),
        "commands": list(found.commands(note)) if found.since else [],
    }
    return json.dumps(answer, indent=2) + "\n"


def _as_text(found: Relock, note: str, *, check: bool) -> str:
    if not found.changes and (check or not found.since):
        return "locks: up to date\n"
    lines = [
        f"{change.unit.name}: {change.before or 'not locked'} -> {change.after or 'gone'}"
        for change in found.changes
    ]
    if check:
        return (
            "".join(f"stale: {line}\n" for line in lines)
            + "run `invoke lock --note WHY` to renew the locks\n"
        )
    if found.silent:
        lines.append(
            "a lock counts only with a note: run again with --note WHY, or add it to `fixture_changes`"
        )
    if found.properties:
        lines.append(f"say in the `note` of {', '.join(found.properties)} what the new samples are")
    lines += ["then, in a commit of its own:", *(f"  {command}" for command in found.commands(note))]
    return "".join(f"{line}\n" for line in lines)


TASKS: Final = (lock,)
