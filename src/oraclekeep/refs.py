"""
Which commits a run compares: the base that nobody named, and the working copy as a tree.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from oraclekeep.effects import write_atomic
from oraclekeep.errors import GateError, MissingEvidence

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from oraclekeep.git import Repo

WORKTREE: Final = "worktree:"

#: Variables in which CI systems name the target; a commit stands before the branch where both exist.
_TARGETS: Final = (
    "GITHUB_BASE_REF",  # GitHub, Forgejo, Gitea
    "CI_MERGE_REQUEST_TARGET_BRANCH_SHA",  # GitLab, merged-results pipelines
    "CI_MERGE_REQUEST_TARGET_BRANCH_NAME",
    "CI_MERGE_REQUEST_DIFF_BASE_SHA",
    "CHANGE_TARGET",  # Jenkins
    "BITBUCKET_PR_DESTINATION_COMMIT",
    "BITBUCKET_PR_DESTINATION_BRANCH",
    "SYSTEM_PULLREQUEST_TARGETBRANCH",  # Azure
    "BUILDKITE_PULL_REQUEST_BASE_BRANCH",
    "CIRRUS_BASE_BRANCH",
    "CIRRUS_BASE_SHA",
    "CI_COMMIT_TARGET_BRANCH",  # Woodpecker
    "PULL_BASE_SHA",  # Prow
)
#: Variables that name the target only while another one says that this is a pull request.
_GUARDED: Final = (
    ("TRAVIS_BRANCH", "TRAVIS_PULL_REQUEST"),
    ("APPVEYOR_REPO_BRANCH", "APPVEYOR_PULL_REQUEST_NUMBER"),
    ("DRONE_TARGET_BRANCH", "DRONE_PULL_REQUEST"),
)
#: Where a GitHub event file keeps the target commit.
_EVENT_KEYS: Final = {
    "merge_group": ("merge_group", "base_sha"),
    "pull_request": ("pull_request", "base", "sha"),
}
_UPSTREAMS: Final = ("origin/HEAD", "origin/main", "origin/master")
#: Settings that keep the user's hooks, monitors and habits out of an index of our own.
QUIET: Final = (
    *("-c", "core.fsmonitor=false", "-c", "core.splitIndex=false", "-c", "core.safecrlf=false"),
    *("-c", f"core.hooksPath={os.devnull}", "-c", "advice.addEmbeddedRepo=false"),
)
_HASH: Final = re.compile(r"[0-9a-f]{7,64}")


def default_base(repo: Repo, head: str, environ: Mapping[str, str]) -> tuple[str, str]:
    """
    Return the base that nobody named and where it came from.

    A target that CI names but the clone does not hold is an error: falling back would judge another patch.
    """
    found = _from_ci(repo, environ) or _from_upstream(repo)
    if found and found[0] != head:
        return found
    return _parent(repo, head)


def _from_ci(repo: Repo, environ: Mapping[str, str]) -> tuple[str, str] | None:
    missing = ("", "")
    for variable, value in _named_targets(environ):
        if commit := _target(repo, value):
            return commit, f"{variable} ({value})"
        missing = missing if missing[0] else (variable, value)
    variable, value = missing
    if not variable:
        return None
    raise MissingEvidence(
        f"{variable} says that the patch would land on {value!r}, which is not in this clone; "
        f"run `git fetch origin {value.removeprefix('refs/heads/')}`, or check out with the full history"
    )


def _named_targets(environ: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    for variable in _TARGETS:
        if value := environ.get(variable, "").strip():
            yield variable, value
        if variable == "GITHUB_BASE_REF":
            yield from _github_event(environ)
    for variable, guard in _GUARDED:
        if environ.get(guard, "false") not in ("", "false") and (value := environ.get(variable, "").strip()):
            yield variable, value


def _github_event(environ: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """
    A merge queue sets no base variable; the event file knows the commit.
    """
    kind = environ.get("GITHUB_EVENT_NAME", "")
    keys = _EVENT_KEYS.get(kind)
    if keys is None:
        return
    path = environ.get("GITHUB_EVENT_PATH", "")
    try:
        value: Any = json.loads(Path(path).read_text(encoding="utf-8"))
        for key in keys:
            value = value[key]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise MissingEvidence(
            f"GITHUB_EVENT_PATH {path!r} does not say what the patch would land on; pass --base"
        ) from error
    yield "GITHUB_EVENT_PATH", str(value)


def _target(repo: Repo, value: str) -> str:
    name = value.removeprefix("refs/heads/").removeprefix("refs/remotes/origin/").removeprefix("origin/")
    spellings = [f"refs/remotes/origin/{name}", f"refs/heads/{name}"]
    if _HASH.fullmatch(value):
        spellings.append(value)
    known = repo.commits(*spellings)
    return next((known[spelling] for spelling in spellings if spelling in known), "")


def _from_upstream(repo: Repo) -> tuple[str, str] | None:
    known = repo.commits(*(f"refs/remotes/{name}" for name in _UPSTREAMS))
    return next(((known[ref], name) for name in _UPSTREAMS if (ref := f"refs/remotes/{name}") in known), None)


def _parent(repo: Repo, head: str) -> tuple[str, str]:
    if head.startswith(WORKTREE):
        return repo.resolve("HEAD"), "HEAD"  # what the working copy started from
    known = repo.commits(f"{head}^1", "HEAD")
    if commit := known.get(f"{head}^1"):
        return commit, "HEAD~1" if head == known.get("HEAD") else f"{head[:12]}~1"
    if repo.git("rev-parse", "--is-shallow-repository").strip() == b"true":
        raise MissingEvidence(
            f"{head[:12]} has a parent that the shallow clone lacks; run `git fetch --unshallow`"
        )
    raise MissingEvidence(
        f"{head[:12]} is the first commit, with nothing to compare it with; commit a change, or pass --base"
    )


def uncommitted(repo: Repo) -> int:
    """
    Return how many files of the working copy differ from HEAD or are new: they are not judged.
    """
    options = ("--porcelain=v1", "-z", "--untracked-files=all", "--no-renames")
    try:
        out = repo.git("-c", "core.fsmonitor=false", "status", *options, "--", ":/", ":(top,exclude).gate")
    except GateError:
        if repo.git("rev-parse", "--is-inside-work-tree").strip() == b"true":
            raise
        return 0  # a bare repository has no working copy
    return len([record for record in out.split(b"\0") if record])


def git_path(repo: Repo, name: str) -> str:
    """
    Return where the repository keeps a part of its git directory, whatever kind of worktree this is.
    """
    own = replace(repo, objects=None)  # Git would name the store of this run instead
    out = own.git("rev-parse", "--path-format=absolute", "--git-path", name)
    return os.fsdecode(out).rstrip("\n")


def object_store(repo: Repo, objects: Path) -> dict[str, str]:
    """
    Make a folder for new objects beside the repository's own, and return the variables that write there.
    """
    own = git_path(repo, "objects")
    objects = objects.absolute()
    (objects / "info").mkdir(parents=True, exist_ok=True)
    (objects / "info" / "alternates").write_bytes(os.fsencode(own) + b"\n")
    return {"GIT_OBJECT_DIRECTORY": str(objects)}


def hide_gate(repo: Repo) -> None:
    """
    Let `.gate/` ignore itself, whatever the user's own `.gitignore` says.
    """
    mark = repo.root / ".gate" / ".gitignore"
    if mark.parent.is_dir() and not mark.exists():
        write_atomic(mark, "*\n")


def worktree_tree(repo: Repo, objects: Path) -> str:
    """
    Write the working copy as a tree into ``objects`` and return its id.

    Tracked files and untracked ones that Git does not ignore, as `git add --all` would take them; the user's
    index and object store stay as they are.
    """
    env = object_store(repo, objects)
    with tempfile.TemporaryDirectory(prefix="oraclekeep-") as scratch:
        index, copy = Path(git_path(repo, "index")), Path(scratch, "index")
        if index.exists():
            shutil.copy2(index, copy)  # with its time: Git rereads a file as new as its index
        env["GIT_INDEX_FILE"] = str(copy)
        _unhide(repo, env)
        hide_gate(repo)
        repo.git(*QUIET, "add", "--all", "--", ":/", env=env)
        return repo.git(*QUIET, "write-tree", env=env).decode().strip()


def _unhide(repo: Repo, env: Mapping[str, str]) -> None:
    """
    A file marked assume-unchanged would keep its old bytes in the tree; take the mark off the copied index.
    """
    records = repo.git(*QUIET, "ls-files", "-v", "-z", env=env).split(b"\0")
    hidden = b"".join(record[2:] + b"\0" for record in records if record[:1].islower())
    if hidden:
        repo.git(*QUIET, "update-index", "--no-assume-unchanged", "-z", "--stdin", stdin=hidden, env=env)
