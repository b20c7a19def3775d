"""
What `init` says: what it found, what it writes, and what to do next.
"""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from oraclekeep.adopting.run import Found

SCHEMA: Final = "oraclekeep/init/1"
_MESSAGE: Final = "Adopt the oraclekeep gate"


def found_text(found: Found) -> str:
    names = ", ".join(system.name for system in found.systems) or "none; --ci writes a file for one"
    facts = [*found.project.lines(), f"CI            {names}", f"lands on      {found.branch}"]
    return "found\n" + "".join(f"  {line}\n" for line in facts)


def planned_text(found: Found) -> str:
    """
    Say what would be written, and what differs or is left to a person.
    """
    plan = found.plan
    if found.adopted and not (plan.new or plan.added or plan.differing):
        return "the gate is adopted here, and this kit would change nothing\n"
    begin = "writes" if plan.paths else "writes nothing: all is there, and waits to be committed"
    lines = ["the gate is adopted here; this kit would change" if found.adopted else begin]
    width = max((len(path) for path in plan.paths), default=0)
    lines += [f"  {file.path:<{width}}  {file.why}" for file in plan.new]
    lines += [f"  {each.path:<{width}}  {len(each.lines)} lines more: {each.why}" for each in plan.added]
    differs = "differs" if found.adopted else "is there and stays; this kit would write another one"
    lines += [f"  {file.path}: {differs}" for file, _ in plan.differing]
    lines += [f"  {path}: Git ignores it, and would not commit it; mend .gitignore" for path in found.ignored]
    return "".join(f"{line}\n" for line in lines)


def next_text(found: Found, paths: Sequence[str]) -> str:
    """
    Say what is left to do, in order.
    """
    return "next\n" + _numbered(_steps(found, paths))


def by_hand_text(found: Found) -> str:
    """
    Say what would be left to a person before the commit; nothing where that is nothing.
    """
    steps = found.plan.by_hand
    return "left to you\n" + _numbered(steps) if steps else ""


def _numbered(steps: Iterable[str]) -> str:
    text = ""
    for number, step in enumerate(steps, start=1):
        first, *more = step.rstrip("\n").split("\n")
        text += f"  {number}. {first}\n" + "".join(f"     {line}\n" if line else "\n" for line in more)
    return text


def _steps(found: Found, paths: Sequence[str]) -> Iterator[str]:
    yield from found.plan.by_hand
    yield "read oracle/gate.yaml: is this where code, tests and fixtures lie?"
    changed = "add to the end of noxfile.py" in " ".join(found.plan.by_hand)
    more = ["noxfile.py"] if changed else []
    names = shlex.join(dict.fromkeys(map(_shorter, (*paths, *more))))
    yield f"commit it by itself:\ngit add -- {names}\ngit commit -m {shlex.quote(_MESSAGE)}"
    yield "try it on that commit: ./noxw -s gate"
    if found.systems:
        yield f"let {found.branch} take patches only when the job `verdict` says yes; the CI file says how"
    if found.mode != "observe":
        yield "for the first weeks, `mode: observe` in oracle/gate.yaml reports and rejects nothing"
    yield "`oraclekeep doctor` says what else would make the gate tighter"


def _shorter(path: str) -> str:
    """
    Name a folder that is all the gate's instead of each file in it.
    """
    folder = path.partition("/")[0]
    return folder if folder in ("oracle", "invariants") else path


def as_json(found: Found, *, written: bool, paths: Sequence[str] = ()) -> dict[str, Any]:
    """
    Return the answer as `oraclekeep/init/1`.
    """
    project, plan = found.project, found.plan
    return {
        "schema": SCHEMA,
        "adopted": found.adopted,
        "written": list(paths) if written else [],
        "found": {
            "shape": project.shape,
            "source": list(project.source),
            "tests": list(project.tests),
            "test_files": project.test_files,
            "runner": project.runner,
            "manager": project.manager,
            "packages": [package.folder or "." for package in project.packages],
            "dependencies": list(project.recipe.where),
            "plugins": list(project.plugins),
            "fixtures": list(project.fixtures),
            "ci": [system.name for system in found.systems],
            "branch": found.branch,
        },
        "new": list(plan.paths),
        "differing": [file.path for file, _ in plan.differing],
        "ignored": list(found.ignored),
        "by_hand": list(plan.by_hand),
        "diff": plan.diff(),
    }
