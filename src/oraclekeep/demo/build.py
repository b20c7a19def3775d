"""
Builds the example repository: `main` holds the example, and each patch is a branch of its own.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Final

import oraclekeep
from oraclekeep.effects import write_atomic
from oraclekeep.git import Repo

if TYPE_CHECKING:
    from collections.abc import Sequence

    from oraclekeep.demo.patches import DemoPatch, Edit

_PROJECT: Final = Path(__file__).with_name("project")
_PUBLISHED: Final = 'KIT = ("oraclekeep=='
_WHO: Final = {
    f"GIT_{role}_{key}": value
    for role in ("AUTHOR", "COMMITTER")
    for key, value in (
        ("NAME", "oraclekeep"),
        ("EMAIL", "oraclekeep@localhost"),
        ("DATE", "2026-01-01T00:00:00Z"),
    )
}


def build(folder: Path, patches: Sequence[DemoPatch]) -> Repo:
    """
    Write the example into an empty folder and return its repository, with `main` checked out.
    """
    shutil.copytree(_PROJECT, folder, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__"))
    noxfile = folder / "noxfile.py"
    before, _, rest = noxfile.read_text(encoding="utf-8").partition(_PUBLISHED)
    write_atomic(noxfile, f"{before}KIT = {kit_requirement()}\n{rest.partition(chr(10))[2]}")
    repo = Repo(folder)
    repo.git("init", "--quiet", "--initial-branch", "main")
    _commit(repo, "The example")
    for patch in patches:
        repo.git("checkout", "--quiet", "-B", patch.name, "main")
        for edit in patch.edits:
            apply(folder, edit)
        _commit(repo, patch.story)
    repo.git("checkout", "--quiet", "main")
    return repo


def kit_requirement() -> tuple[str, ...]:
    """
    Return what installs the kit that is running: its checkout where there is one, else its version.
    """
    checkout = Path(__file__).resolve().parents[3]
    if (checkout / "pyproject.toml").is_file() and (checkout / "src" / "oraclekeep").is_dir():
        return ("-e", str(checkout))
    return (f"oraclekeep=={oraclekeep.__version__}",)


def apply(folder: Path, edit: Edit) -> None:
    """
    Make one edit in a working copy.

    Raises `ValueError` where the text that it replaces does not stand there exactly once.
    """
    path = folder / edit.path
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    if edit.old and text.count(edit.old) != 1:
        raise ValueError(f"{edit.path} holds {edit.old!r} {text.count(edit.old)} times, not once")
    write_atomic(path, text.replace(edit.old, edit.new) if edit.old else text + edit.new)


def _commit(repo: Repo, message: str) -> None:
    repo.git("add", "--all")
    repo.git("-c", "commit.gpgSign=false", "commit", "--quiet", "--message", message, env=_WHO)
