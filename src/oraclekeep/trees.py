"""
What would land, as Git trees and plain files, without a trace in the user's repository.

New objects go to `.gate/objects`, which borrows the repository's own; an index of ours lives in a scratch
folder; a lane's folder is a repository of its own that borrows both.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Final

from oraclekeep.effects import run
from oraclekeep.errors import GateError, MissingEvidence
from oraclekeep.git import Repo, git_env
from oraclekeep.refs import QUIET, git_path

if TYPE_CHECKING:
    from collections.abc import Mapping

    from oraclekeep.model import Entry

#: Merging must not depend on the user's habits.
_MERGE: Final = (
    *("-c", "merge.renames=true", "-c", "merge.directoryRenames=conflict", "-c", "merge.renameLimit=0"),
    *("-c", "diff.renames=true", "-c", "merge.conflictStyle=merge"),
)
#: No attribute of the patch turns the owner's files into others at checkout.
_VERBATIM: Final = "".join(
    f"/{folder}/** -text -ident -filter -working-tree-encoding\n" for folder in ("oracle", "invariants")
)
_AUTHOR: Final = "oraclekeep"
_PARTIAL_CLONE: Final = r"^(remote\..*\.(url|promisor|partialclonefilter)|extensions\.partialclone)$"


def landing_tree(repo: Repo, base: str, head: str) -> str:
    """
    Return the tree that merging head into base makes.

    Raises `MissingEvidence` that names the files where the two conflict.
    """
    argv = repo.argv(*_MERGE, "merge-tree", "--write-tree", "-z", "--name-only", "--no-messages", base, head)
    done = run(argv, cwd=repo.root, env=git_env(repo.store), check=False)
    tree, *conflicts = done.stdout.decode("utf-8", "surrogateescape").split("\0")
    if done.returncode == 0:
        return tree
    if done.returncode == 1:
        names = ", ".join(dict.fromkeys(name for name in conflicts if name))
        raise MissingEvidence(
            f"the patch conflicts with its base {base[:12]} in {names}; rebase it and run again"
        )
    words = done.stderr.decode("utf-8", "replace").strip().splitlines()
    hint = "; Git 2.38 or newer is needed" if done.returncode == 129 else ""
    raise GateError(f"git merge-tree: {words[0] if words else f'exit {done.returncode}'}{hint}")


def edit_tree(repo: Repo, tree: str, changes: Mapping[str, Entry | None]) -> str:
    """
    Return the tree with some paths replaced, and those mapped to None taken out.
    """
    if not changes:
        return repo.git("rev-parse", "--verify", f"{tree}^{{tree}}").decode().strip()
    gone = "0 " + "0" * len(tree)
    # Removals first: a file may make room for a folder of the same name.
    ordered = sorted(changes.items(), key=lambda item: (item[1] is not None, item[0]))
    lines = (
        os.fsencode(f"{gone if entry is None else f'{entry.mode} {entry.oid}'}\t{path}\0")
        for path, entry in ordered
    )
    with tempfile.TemporaryDirectory(prefix="oraclekeep-") as scratch:
        env = {"GIT_INDEX_FILE": str(Path(scratch, "index"))}
        repo.git(*QUIET, "read-tree", tree, env=env)
        repo.git(*QUIET, "update-index", "-z", "--index-info", stdin=b"".join(lines), env=env)
        return repo.git(*QUIET, "write-tree", env=env).decode().strip()


def write_blob(repo: Repo, data: bytes) -> str:
    return repo.git("hash-object", "-w", "--stdin", "--no-filters", stdin=data).decode().strip()


def commit_tree(repo: Repo, tree: str, parents: tuple[str, ...], message: str) -> str:
    """
    Return a commit whose id depends on nothing but its tree and its parents.
    """
    times = repo.git("show", "--no-patch", "--no-show-signature", "--format=%ct", *parents).split()
    when = f"{max(int(time) for time in times)} +0000"
    person = {"NAME": _AUTHOR, "EMAIL": f"{_AUTHOR}@localhost", "DATE": when}
    env = {f"GIT_{role}_{key}": value for role in ("AUTHOR", "COMMITTER") for key, value in person.items()}
    options = [word for parent in parents for word in ("-p", parent)]
    return repo.git("commit-tree", tree, *options, "-m", message, env=env).decode().strip()


def check_out(repo: Repo, commit: str, folder: Path) -> None:
    """
    Make the folder hold exactly this commit, as a repository of its own with the user's tags.

    A folder that holds it already, unchanged in every tracked file, is left alone.
    """
    if _holds(folder, commit):
        return
    if folder.exists():
        remove(folder)
    folder.mkdir(parents=True)
    kind = repo.git("rev-parse", "--show-object-format").decode().strip()
    lane = Repo(folder)
    lane.git("init", "--quiet", "--template=", f"--object-format={kind}", ".")
    borrowed = folder / ".git" / "objects" / "info" / "alternates"
    borrowed.parent.mkdir(parents=True, exist_ok=True)
    borrowed.write_bytes(os.fsencode(repo.objects or git_path(repo, "objects")) + b"\n")
    (folder / ".git" / "info").mkdir(exist_ok=True)
    (folder / ".git" / "info" / "attributes").write_text(_VERBATIM, encoding="ascii")
    _share_boundaries(repo, lane)
    tags = repo.git("for-each-ref", "--format=create %(refname) %(objectname)", "refs/tags")
    if tags:
        lane.git("update-ref", "--stdin", stdin=tags)
    lane.git(*QUIET, "-c", "advice.detachedHead=false", "checkout", "--quiet", "--force", "--detach", commit)


def _holds(folder: Path, commit: str) -> bool:
    if not (folder / ".git").is_dir():
        return False
    lane = Repo(folder)
    try:
        same = lane.git("rev-parse", "--verify", "--quiet", "HEAD").decode().strip() == commit
        changed = lane.git("-c", "core.fsmonitor=false", "status", "--porcelain", "--untracked-files=no")
    except GateError:
        return False
    return same and not changed


def _share_boundaries(repo: Repo, lane: Repo) -> None:
    """
    A shallow or partial clone knows where its history or its blobs end; so must the lane.
    """
    shallow = Path(git_path(repo, "shallow"))
    if shallow.exists():
        shutil.copyfile(shallow, lane.root / ".git" / "shallow")
    ask = repo.argv("config", "--local", "-z", "--get-regexp", _PARTIAL_CLONE)
    done = run(ask, cwd=repo.root, env=git_env(), check=False)
    settings = [record.partition("\n") for record in os.fsdecode(done.stdout).split("\0") if record]
    if any(key.endswith(".promisor") for key, _, _ in settings):
        for key, _, value in settings:
            lane.git("config", key, value)


def remove(folder: Path) -> None:
    """
    Delete a folder of ours.
    """
    try:
        if os.name == "nt":  # Git keeps its objects read-only, and Windows then refuses to delete them
            for path in (folder / ".git").rglob("*"):
                path.chmod(0o700)
        shutil.rmtree(folder)
    except OSError as error:
        raise GateError(f"{folder}: cannot delete: {error.strerror}; delete it by hand") from error
