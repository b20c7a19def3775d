"""
`writeset`: what stands before a write, in an agent's loop and before a commit.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

from invoke import tasks
from invoke.exceptions import Exit

import oraclekeep.commands.variadic  # noqa: F401  # `writeset` takes any number of paths
from oraclekeep.errors import Exit as Code
from oraclekeep.errors import UsageError

if TYPE_CHECKING:
    from invoke.context import Context


@tasks.task(
    iterable=["paths"],
    positional=["paths"],
    help={
        "paths": "What is about to be written.",
        "hook": "Read a tool's call as JSON from standard input, and take the paths out of that.",
        "staged": "Look at what the next commit would change: only a mix of both kinds is refused.",
        "json": "Print the answer as JSON.",
    },
)
def writeset(
    _: Context,
    paths: list[str] | None = None,
    hook: bool = False,
    staged: bool = False,
    json_: bool = False,
) -> None:
    """
    Say whether an agent may write these paths: 0 yes, 1 no, 2 could not tell.
    """
    from oraclekeep import writeset as core
    from oraclekeep.git import Repo

    if sum((bool(paths), hook, staged)) != 1:
        raise UsageError("give the paths that are about to be written, or --hook, or --staged")
    repo = Repo.at(Path.cwd())
    here = Path.cwd()
    if staged:
        names, here = core.staged_paths(repo), repo.root
    else:
        names = core.named_in_hook(sys.stdin.read()) if hook else tuple(paths or ())
    found = core.sort_paths(repo, names, here)
    if staged and not (found.refused and found.agent and core.is_adopted_here(repo)):
        found = core.Sorted(agent=found.agent)
    sys.stdout.write(
        json.dumps(core.as_json(found), indent=2) + "\n" if json_ else core.as_text(found, staged=staged)
    )
    if found.refused:
        raise Exit(code=Code.REJECT)


TASKS: Final = (writeset,)
