"""
`machinery-weakened`: a check that CI or a task runner ran no longer runs, runs less, or may fail unnoticed.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from oraclekeep.machinery.runs import is_action, is_ci_yaml, is_hook_list, is_machinery, machinery_paths
from oraclekeep.model import Finding
from oraclekeep.rules import rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from oraclekeep.machinery.jobs import Weakness
    from oraclekeep.machinery.reach import Machinery
    from oraclekeep.rules import Patch

_ADVICE: Final = "Restore the check, or ask the owner for an allowance in oracle/intent.json."

_MARKS: Final = (
    *(b".scripts]", b"[tool.poe", b"[tool.pdm.scripts", b"[tool.tox"),
    *(b"[tool.taskipy", b"[tool.pixi", b"hatch-test"),
)
#: What a line hands to Python, and the names of files in it.
_CALLING: Final = re.compile(rb"python\S*\s([^\n]*)")
_SCRIPT: Final = re.compile(rb"[\w.-]*\.py\b")


@rule("machinery-weakened")
def ci_machinery(patch: Patch) -> Iterator[Finding]:
    """
    Report checks that the machinery of base ran and that of head runs less, or no more with a voice.
    """
    paths = [delta.path for delta in patch.deltas]
    named = _named(patch, [path for path in paths if _may_be_named(patch, path)])
    changed = [path for path in paths if is_machinery(path) or _is_called(patch, path) or path in named]
    if not changed:
        return
    # A YAML parser takes its time to load, and most patches touch no machinery.
    from oraclekeep.machinery.compare import weakened  # noqa: PLC0415
    from oraclekeep.machinery.reach import Machinery  # noqa: PLC0415

    before = Machinery(patch.base)
    after = Machinery(patch.head).retiring(before)
    yield from _unreadable(changed, before, after)
    causes: dict[tuple[str, int, str], list[Weakness]] = {}
    for weakness in weakened(before, after, changed):
        causes.setdefault((weakness.path, weakness.line, weakness.what), []).append(weakness)
    for (path, line, what), found in causes.items():
        subjects = ", ".join(dict.fromkeys(weakness.subject for weakness in found))
        was = "; ".join(dict.fromkeys(weakness.before for weakness in found if weakness.before))
        now = "; ".join(dict.fromkeys(weakness.after for weakness in found if weakness.after))
        yield _finding(path, line, f"{subjects} {what}.", was, now)


def _is_called(patch: Patch, path: str) -> bool:
    """
    Tell whether this is a pyproject with a table of scripts.
    """
    sides = [tree.read(path) or b"" for tree in (patch.base, patch.head)] if path == "pyproject.toml" else []
    return any(mark in data for data in sides for mark in _MARKS)


def _may_be_named(patch: Patch, path: str) -> bool:
    name = path.rpartition("/")[2]
    known = name.endswith(".py") and name != "__init__.py" and patch.base.entry(path) is not None
    return known and not patch.layout.is_test_file(path)


def _named(patch: Patch, paths: list[str]) -> set[str]:
    """
    Return those scripts that some file of base's machinery names; its files are looked through once.
    """
    if not paths:
        return set()
    said = {
        word
        for other in machinery_paths(patch.base.under(""))
        for line in _CALLING.findall(patch.base.read(other) or b"")
        for word in _SCRIPT.findall(line)
    }
    return {path for path in paths if path.rpartition("/")[2].encode() in said}


def _finding(path: str, line: int, what: str, was: str, now: str) -> Finding:
    return Finding(
        path, line, "machinery-weakened", message=what, advice=_ADVICE, before=was or None, after=now or None
    )


def _unreadable(changed: list[str], before: Machinery, after: Machinery) -> Iterator[Finding]:
    from oraclekeep.machinery import yamltext  # noqa: PLC0415
    from oraclekeep.machinery.places import text_of  # noqa: PLC0415

    for path in changed:
        if not (is_ci_yaml(path) or is_action(path) or is_hook_list(path)) or after.tree.entry(path) is None:
            continue
        try:
            yamltext.read(text_of(after.tree, path))
        except yamltext.BadYaml as error:
            readable = before.tree.entry(path) is None or before.documents(path)
            if readable:
                yield _finding(
                    path, 1, f"{path} can no longer be read as YAML ({error}), so nothing in it runs.", "", ""
                )
