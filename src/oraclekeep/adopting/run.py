"""
Looks at a repository, and writes what adopts the gate there.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from oraclekeep.adopting import systems
from oraclekeep.adopting.facts import Project, project_of
from oraclekeep.adopting.plan import Plan, Wishes, plan_of
from oraclekeep.days import day
from oraclekeep.effects import scratch_folder, write_atomic, write_new
from oraclekeep.errors import GateError, UsageError
from oraclekeep.git import TreeSnapshot
from oraclekeep.paths import Layout
from oraclekeep.permitting import changed_paths
from oraclekeep.pipeline import Request, score
from oraclekeep.policy import is_adopted
from oraclekeep.power import power_of
from oraclekeep.refs import worktree_tree

if TYPE_CHECKING:
    from oraclekeep.git import Repo

_MODES = ("enforce", "observe")


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """
    What is here, and what would be written.
    """

    project: Project
    plan: Plan
    systems: tuple[systems.System, ...]
    mode: str
    branch: str  # where patches land
    adopted: bool  # the last commit has the gate
    ignored: tuple[str, ...]  # files of the plan that Git would not take


def look(repo: Repo, wishes: Wishes, ci: str | None) -> Found:
    """
    Find out what this repository is and what adopting the gate takes.  Nothing is written.

    Raises `UsageError` where it cannot be adopted here.
    """
    if wishes.mode not in _MODES:
        raise UsageError(f"--mode {wishes.mode!r} is not known; it is one of {', '.join(_MODES)}")
    if repo.git("rev-parse", "--is-inside-work-tree").strip() != b"true":
        raise UsageError(f"{repo.root}: a bare repository; run this in a clone with a working copy")
    with scratch_folder() as folder:
        store = replace(repo, objects=folder / "objects")
        tree_id = worktree_tree(repo, folder / "objects")
        with store.blobs() as blobs:
            tree = TreeSnapshot(store, blobs, tree_id)
            adopted = not repo.is_unborn() and is_adopted(TreeSnapshot(store, blobs, repo.resolve("HEAD")))
            remote = _config(repo, "remote.origin.url")
            used = systems.found(lambda mark: _has(tree, mark), remote)
            chosen = used if ci is None else systems.named(ci)
            project = project_of(tree)
            plan = plan_of(tree, project, replace(wishes, systems=chosen))
    return Found(
        project=project,
        plan=plan,
        systems=chosen,
        mode=wishes.mode,
        branch=_branch(repo),
        adopted=adopted,
        ignored=_ignored(repo, plan),
    )


def write(repo: Repo, plan: Plan) -> None:
    """
    Write new files and add lines; where the disk refuses one, the others are taken back.
    """
    done = []
    try:
        for file in plan.new:
            write_new(repo.root / file.path, file.text, executable=file.executable)
            done.append(file.path)
        for each in plan.added:
            write_atomic(repo.root / each.path, each.text)
    except GateError:
        for path in done:
            (repo.root / path).unlink(missing_ok=True)
        raise


def to_commit(repo: Repo, plan: Plan) -> tuple[str, ...]:
    """
    Return what waits to be committed of the gate's files, those of an earlier run that nobody committed too.
    """
    layout, ours = Layout(), {*plan.paths, ".gitignore", "invariants/proposed/README.md"}
    return tuple(path for path in changed_paths(repo) if path in ours or layout.is_human_owned(path))


def _has(tree: TreeSnapshot, mark: str) -> bool:
    return bool(tree.under(mark)) if mark.endswith("/") else tree.entry(mark) is not None


def _config(repo: Repo, key: str) -> str:
    try:
        return os.fsdecode(repo.git("config", "--get", key)).strip()
    except GateError:
        return ""


def _branch(repo: Repo) -> str:
    """
    Return the branch that patches land on: origin's, else the usual ones, else this one.
    """
    for args in (
        ("symbolic-ref", "--quiet", "--short", "refs/remotes/origin/HEAD"),
        ("rev-parse", "--verify", "--quiet", "--abbrev-ref", "main"),
        ("rev-parse", "--verify", "--quiet", "--abbrev-ref", "master"),
        ("symbolic-ref", "--quiet", "--short", "HEAD"),
    ):
        try:
            name = os.fsdecode(repo.git(*args)).strip()
        except GateError:
            continue
        if name:
            return name.removeprefix("origin/")
    return "HEAD"


def _ignored(repo: Repo, plan: Plan) -> tuple[str, ...]:
    wanted = b"".join(os.fsencode(path) + b"\0" for path in plan.paths)
    try:
        out = repo.git("check-ignore", "-z", "--stdin", stdin=wanted)
    except GateError:
        return ()  # exit 1: none is
    return tuple(os.fsdecode(path) for path in out.split(b"\0") if path)


def first_score(repo: Repo) -> str:
    """
    Score what was written against the last commit, as a line.
    """
    if repo.is_unborn():
        return "first score: there is no commit yet to compare with; commit your project first\n"
    try:
        found = score(Request(repo.root, day(""), base="HEAD", worktree=True))
    except GateError as error:
        return f"first score: could not judge: {error}\n"
    rows = ", ".join(found.spend.counts) or "nothing found"
    decision = "reject" if found.spend.rejects else "allow"
    power = power_of(repo.root, "HEAD")
    held = f"{power.total} checks in {len(power.by_test)} tests"
    broken = f"; {len(power.unreadable)} test files do not parse" if power.unreadable else ""
    return f"first score: {decision} ({rows}); the suite holds {held}{broken}\n"
