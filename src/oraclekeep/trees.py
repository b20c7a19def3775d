"""
What would land, as Git trees and plain files, without a trace in the user's repository.

New objects go to `.gate/objects`, which borrows the repository's own; an index of ours lives in a scratch
folder; a lane's folder is a repository of its own that borrows both.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from dataclasses import dataclass
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


@dataclass(frozen=True, slots=True)
class Lender:
    """
    The repository that the lanes borrow from, and what they must know of it besides its objects.
    """

    repo: Repo
    objects: Path
    shallow: bytes  # where a shallow clone's history ends; empty for a whole one
    promises: tuple[tuple[str, str], ...]  # the settings of a partial clone: where its missing blobs are
    tags: bytes  # as `git update-ref --stdin` takes them

    @classmethod
    def of(cls, repo: Repo) -> Lender:
        """
        Read what the lanes of one run take over.
        """
        shallow = Path(git_path(repo, "shallow"))
        ask = repo.argv("config", "--local", "-z", "--get-regexp", _PARTIAL_CLONE)
        done = run(ask, cwd=repo.root, env=git_env(), check=False)
        records = [record.partition("\n") for record in os.fsdecode(done.stdout).split("\0") if record]
        settings = tuple((key, value) for key, _, value in records)
        return cls(
            repo,
            repo.objects or Path(git_path(repo, "objects")),
            shallow.read_bytes() if shallow.exists() else b"",
            settings if any(key.endswith(".promisor") for key, _ in settings) else (),
            repo.git("for-each-ref", "--format=create %(refname) %(objectname)", "refs/tags"),
        )

    def check_out(self, commit: str, folder: Path) -> None:
        """
        Make the folder hold exactly this commit, as a repository of its own with the user's tags.

        A folder that holds it already, unchanged in every tracked file, is left alone.
        """
        if _holds(folder, commit):
            return
        if folder.exists():
            remove(folder)
        folder.mkdir(parents=True)
        lane = Repo(folder)
        kind = "sha1" if len(commit) == 40 else "sha256"
        lane.git("init", "--quiet", "--template=", f"--object-format={kind}", ".")
        own = folder / ".git"
        for name, data in (
            ("objects/info/alternates", os.fsencode(self.objects) + b"\n"),
            ("info/attributes", _VERBATIM.encode("ascii")),
            ("shallow", self.shallow),
        ):
            if data:
                (own / name).parent.mkdir(parents=True, exist_ok=True)
                (own / name).write_bytes(data)
        for key, value in self.promises:
            lane.git("config", key, value)
        if self.tags:
            lane.git("update-ref", "--stdin", stdin=self.tags)
        lane.git(
            *QUIET, "-c", "advice.detachedHead=false", "checkout", "--quiet", "--force", "--detach", commit
        )


def _holds(folder: Path, commit: str) -> bool:
    if not (folder / ".git").is_dir():
        return False
    options = ("--porcelain=v2", "--branch", "--untracked-files=no")
    try:
        lines = Repo(folder).git("-c", "core.fsmonitor=false", "status", *options).splitlines()
    except GateError:
        return False
    changed = [line for line in lines if not line.startswith(b"# ")]
    return f"# branch.oid {commit}".encode("ascii") in lines and not changed


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
