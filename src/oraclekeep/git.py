"""
Git, read with plumbing: names are resolved once, everything below takes hashes.
"""

from __future__ import annotations

import os
import subprocess
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Self

from oraclekeep.effects import run
from oraclekeep.errors import GateError, MissingEvidence
from oraclekeep.model import Delta, Entry

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from types import TracebackType

#: Variables that would point Git at another repository than the one we were given, or let it see that one
#: as it is not.
_FOREIGN = (
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_OBJECT_DIRECTORY",
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_COMMON_DIR",
    "GIT_NAMESPACE",
    "GIT_PREFIX",
    "GIT_EXTERNAL_DIFF",
    "GIT_DIFF_OPTS",
    "GIT_CEILING_DIRECTORIES",
    "GIT_SHALLOW_FILE",
    "GIT_REPLACE_REF_BASE",
    "GIT_ATTR_SOURCE",
    "GIT_LITERAL_PATHSPECS",
    "GIT_GLOB_PATHSPECS",
    "GIT_NOGLOB_PATHSPECS",
    "GIT_ICASE_PATHSPECS",
)
#: Replaced objects and grafts are this clone's alone; what lands is what the commits say.
_AS_COMMITTED = {"GIT_NO_REPLACE_OBJECTS": "1", "GIT_GRAFT_FILE": f"{os.devnull}/none"}
_QUIET = {"GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0", "LC_ALL": "C"}
_NULL_MODE = "000000"


def git_env(extra: Mapping[str, str] | None = None) -> dict[str, str]:
    """
    Return the environment for Git: ours without the variables that redirect it, and without prompts.
    """
    env = {key: value for key, value in os.environ.items() if key not in _FOREIGN}
    return env | _AS_COMMITTED | _QUIET | dict(extra or {})


@dataclass(frozen=True)
class Repo:
    """
    One repository; ``root`` is the top of its working tree, or the git directory of a bare one.
    """

    root: Path
    objects: Path | None = (
        None  # where new objects go (`refs.object_store`); None reads and writes the usual store
    )

    @property
    def store(self) -> dict[str, str]:
        return {} if self.objects is None else {"GIT_OBJECT_DIRECTORY": str(self.objects)}

    @classmethod
    def at(cls, start: Path) -> Repo:
        """
        Find the repository that holds a folder.

        Raises `MissingEvidence` where there is none.
        """
        probe = cls(start)
        try:
            try:
                out = os.fsdecode(probe.git("rev-parse", "--show-toplevel"))
            except GateError:  # a bare repository has no top level
                out = os.fsdecode(probe.git("rev-parse", "--absolute-git-dir"))
        except FileNotFoundError as error:
            raise MissingEvidence("git is not on PATH, or the folder is gone; install git") from error
        except GateError as error:
            raise MissingEvidence(
                f"{start}: not inside a Git repository; run this in one, or `git init` first"
            ) from error
        return cls(Path(out.rstrip("\n")))

    def git(self, *args: str, stdin: bytes | None = None, env: Mapping[str, str] | None = None) -> bytes:
        """
        Run one git command and return what it printed; any failure is a `GateError` with git's own words.
        """
        try:
            done = run(
                self.argv(*args), cwd=self.root, env=git_env(self.store | dict(env or {})), stdin=stdin
            )
        except subprocess.CalledProcessError as error:
            words = error.stderr.decode("utf-8", "replace").strip() or f"exit {error.returncode}"
            raise GateError(f"git {args[0]}: {words}") from error
        return done.stdout

    def argv(self, *args: str) -> tuple[str, ...]:
        # The folder is ours to read: a container's other owner must not empty the diff (safe.directory).
        return ("git", "-c", f"safe.directory={self.root}", "-c", "core.quotePath=false", *args)

    def commits(self, *names: str) -> dict[str, str]:
        """
        Return the full hashes of the commits that the names mean; a name that means none is left out.
        """
        asked = [name for name in dict.fromkeys(names) if "\n" not in name]  # Git reads one name a line
        lines = b"".join(os.fsencode(f"{name}^{{commit}}\n") for name in asked)
        answers = self.git("cat-file", "--batch-check=%(objectname)", stdin=lines).splitlines()
        # Git says `NAME missing` or `NAME ambiguous`: two words, where a hash is one.
        return {
            name: answer.decode("ascii")
            for name, answer in zip(asked, answers, strict=True)
            if not answer.endswith((b" missing", b" ambiguous"))
        }

    def resolve(self, name: str) -> str:
        """
        Return the commit's full hash; nothing below takes a name.
        """
        return _commit(name, self.commits(name, "HEAD"))

    def resolve_both(self, base: str, head: str) -> tuple[str, str, str]:
        """
        Return the full hashes of base, head and their merge base; one process where base is head's parent.

        Raises `MissingEvidence` as `resolve` and `merge_base` do.
        """
        known = self.commits(base, head, f"{head}^1", "HEAD")
        ours, theirs = _commit(base, known), _commit(head, known)
        near = ours in (theirs, known.get(f"{head}^1"))
        return ours, theirs, ours if near else self.merge_base(ours, theirs)

    def is_unborn(self) -> bool:
        return not self.commits("HEAD")

    def merge_base(self, base: str, head: str) -> str:
        """
        Return the best common ancestor of two commits, given by their hashes.

        Raises `MissingEvidence` with the command that mends it where there is none, and where there are
        several: what a merge on one side threw away of the other would show in none of the two diffs.
        """
        try:
            out = self.git("merge-base", "--all", base, head).decode().split()
        except GateError as error:
            if self.git("rev-parse", "--is-shallow-repository").strip() == b"true":
                raise MissingEvidence(
                    f"no merge base of {base[:12]} and {head[:12]}: the clone is shallow; "
                    "run `git fetch --unshallow`"
                ) from error
            raise MissingEvidence(
                f"no merge base of {base[:12]} and {head[:12]}: the two histories are unrelated; "
                "rebase the patch onto its base"
            ) from error
        if len(out) > 1:
            raise MissingEvidence(
                f"{base[:12]} and {head[:12]} have {len(out)} merge bases, so no one diff is the patch; "
                f"run `git merge {base[:12]}` on the patch and try again"
            )
        return out[0]

    def deltas(self, old: str, new: str) -> tuple[Delta, ...]:
        """
        Return the changed paths between two tree-ishes, renames left as a deletion and an addition.

        Git is told to ignore the user's diff settings; attributes such as `-diff` do not matter to `--raw`.
        """
        out = self.git(
            "diff-tree",
            "-r",
            "-z",
            "--raw",
            "--no-renames",
            "--no-ext-diff",
            "--ignore-submodules=none",  # the patch's .gitmodules may say otherwise
            "--full-index",
            "--no-abbrev",
            old,
            new,
        )
        fields = out.split(b"\0")
        found = []
        for meta, path in zip(fields[:-1:2], fields[1::2], strict=True):
            old_mode, new_mode, old_oid, new_oid, _ = meta.decode("ascii").lstrip(":").split(" ")
            found.append(Delta(os.fsdecode(path), _entry(old_mode, old_oid), _entry(new_mode, new_oid)))
        return tuple(sorted(found))

    def ls(self, treeish: str, folder: str = "") -> dict[str, Entry]:
        """
        Return every file of a tree below a folder, by path.
        """
        scope = ("--", folder.rstrip("/") + "/") if folder else ()
        out = self.git("ls-tree", "-r", "-z", "--full-tree", treeish, *scope)
        found = {}
        for record in out.split(b"\0"):
            if record:
                meta, path = record.split(b"\t", 1)
                mode, _, oid = meta.decode("ascii").split(" ")
                found[os.fsdecode(path)] = Entry(mode, oid)
        return found

    def blobs(self) -> Blobs:
        return Blobs(self)


def _commit(name: str, known: Mapping[str, str]) -> str:
    if name in known:
        return known[name]
    unborn = "HEAD" not in known
    hint = "the branch has no commit yet" if unborn else "is the clone shallow, or the name misspelt?"
    raise MissingEvidence(f"no commit named {name!r}; {hint}")


def _entry(mode: str, oid: str) -> Entry | None:
    return None if mode == _NULL_MODE else Entry(mode, oid)


class Blobs:
    """
    One `git cat-file --batch` process that answers for both sides of a patch.  Use as a context manager.

    A fork of this process asks one of its own: two that read from one pipe take each other's answers.
    """

    def __init__(self, repo: Repo) -> None:
        self._repo = repo
        self._seen: dict[str, bytes] = {}
        self._processes: dict[int, subprocess.Popen[bytes]] = {}  # by the id of the process that asks

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        process = self._processes.pop(os.getpid(), None)
        if process is not None:
            for pipe in (process.stdin, process.stdout):
                if pipe is not None:
                    pipe.close()
            process.wait()

    @property
    def _process(self) -> subprocess.Popen[bytes]:
        if os.getpid() not in self._processes:
            self._processes[os.getpid()] = self._start()
        return self._processes[os.getpid()]

    def _start(self) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            self._repo.argv("cat-file", "--batch"),
            cwd=self._repo.root,
            env=git_env(self._repo.store),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )

    def read(self, oid: str) -> bytes:
        """
        Return one object's bytes.

        Raises `MissingEvidence` where the object is not in the clone.
        """
        if oid not in self._seen:
            self._seen[oid] = self._ask(oid)
        return self._seen[oid]

    def _ask(self, oid: str) -> bytes:
        process = self._process
        pipe_in, pipe_out = process.stdin, process.stdout
        if pipe_in is None or pipe_out is None:  # pragma: no cover  # both were asked for
            raise GateError("git cat-file has no pipes")
        pipe_in.write(oid.encode("ascii", "replace") + b"\n")
        pipe_in.flush()
        head = pipe_out.readline().split()
        if len(head) != 3:
            raise MissingEvidence(
                f"object {oid} is not in this clone; run `git fetch --unshallow`, or fetch without a filter"
            )
        data = pipe_out.read(int(head[2]))
        pipe_out.read(1)
        return data


class TreeSnapshot:
    """
    One tree of the repository, read lazily through a shared `Blobs`.

    What ``changes`` turn the tree ``of`` into need not be listed once more.
    """

    def __init__(
        self,
        repo: Repo,
        blobs: Blobs,
        treeish: str,
        of: TreeSnapshot | None = None,
        changes: Iterable[Delta] = (),
    ) -> None:
        self._repo, self._blobs, self._treeish = repo, blobs, treeish
        self._of, self._changes = of, changes

    @property
    def commit(self) -> str:
        return self._treeish

    @cached_property
    def _entries(self) -> dict[str, Entry]:
        if self._of is None:
            return self._repo.ls(self._treeish)
        found = dict(self._of._entries)  # noqa: SLF001  # of another one of these
        for change in self._changes:
            found.pop(change.path, None)
            if change.new is not None:
                found[change.path] = change.new
        return dict(sorted(found.items(), key=lambda item: os.fsencode(item[0])))  # in Git's order

    def entry(self, path: str) -> Entry | None:
        return self._entries.get(path)

    def read(self, path: str) -> bytes | None:
        found = self._entries.get(path)
        return None if found is None or found.is_submodule else self._blobs.read(found.oid)

    def under(self, folder: str) -> Mapping[str, Entry]:
        prefix = folder.rstrip("/") + "/" if folder else ""
        return {path: entry for path, entry in self._entries.items() if path.startswith(prefix)}
