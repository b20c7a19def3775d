"""
Real Git repositories for tests, built from dicts and deaf to the user's own Git configuration.
"""

from __future__ import annotations

import contextlib
import datetime as dt
import os
import subprocess
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from oraclekeep import rules

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    from oraclekeep.rules import Patch

#: Fixed names and dates: the same files give the same hashes on every machine.
WHO = {
    "GIT_AUTHOR_NAME": "A. Tester",
    "GIT_AUTHOR_EMAIL": "tester@example.invalid",
    "GIT_AUTHOR_DATE": "2024-01-01T00:00:00Z",
    "GIT_COMMITTER_NAME": "A. Tester",
    "GIT_COMMITTER_EMAIL": "tester@example.invalid",
    "GIT_COMMITTER_DATE": "2024-01-01T00:00:00Z",
}


@dataclass(frozen=True)
class GitRepo:
    """
    One repository on disk; ``root`` is its working tree.
    """

    root: Path

    def git(self, *args: str) -> str:
        done = subprocess.run(("git", *args), cwd=self.root, check=True, capture_output=True)
        return done.stdout.decode("utf-8", "surrogateescape").strip()

    def write(self, files: Mapping[str, str | bytes | None]) -> None:
        """
        Write files to the working tree; None deletes one.
        """
        for name, content in files.items():
            path = self.root / name
            if content is None:
                path.unlink()
                continue
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content.encode() if isinstance(content, str) else content)

    def commit(self, files: Mapping[str, str | bytes | None] | None = None, message: str = "change") -> str:
        """
        Write the files, commit everything in the working tree, and return the commit.
        """
        self.write(files or {})
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "--message", message)
        return self.git("rev-parse", "HEAD")


@pytest.fixture
def make_repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., GitRepo]:
    """
    Return a function that starts a repository on branch `main`; its argument names the folder.
    """
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(name)
    for name, value in {**WHO, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}.items():
        monkeypatch.setenv(name, value)

    def start(name: str = "repo") -> GitRepo:
        root = tmp_path / name
        root.mkdir(parents=True)
        repo = GitRepo(root)
        repo.git("init", "--quiet", "--initial-branch", "main")
        return repo

    return start


@pytest.fixture
def patch_of() -> Iterator[Callable[..., Patch]]:
    """
    Return a function that makes a `Patch` of two commits of a repository, as the pipeline would.
    """
    from oraclekeep.git import Repo, TreeSnapshot  # noqa: PLC0415  # most tests do not need it
    from oraclekeep.paths import Layout  # noqa: PLC0415  # same
    from oraclekeep.policy import read_policy  # noqa: PLC0415  # same
    from oraclekeep.rules import Patch  # noqa: PLC0415  # same
    from oraclekeep.rules.owned import patch_kind  # noqa: PLC0415  # same

    with contextlib.ExitStack() as stack:

        def make(
            repo: GitRepo,
            base: str = "main",
            head: str = "HEAD",
            *,
            today: dt.date = dt.date(2024, 6, 1),
            unproven: tuple[tuple[str, str], ...] = (),
        ) -> Patch:
            git = Repo(repo.root)
            blobs = stack.enter_context(git.blobs())
            tip, end = git.resolve(base), git.resolve(head)
            start = git.merge_base(tip, end)
            trees = {commit: TreeSnapshot(git, blobs, commit) for commit in (start, tip, end)}
            policy = read_policy(trees[tip])
            layout = Layout.of(trees[tip], policy)
            deltas = git.deltas(start, end)
            return Patch(
                base=trees[start],
                head=trees[end],
                tip=trees[tip],
                deltas=deltas,
                policy=policy,
                layout=layout,
                kind=patch_kind(deltas, layout, policy, trees[tip], trees[end]),
                today=today,
                unproven=unproven,
            )

        yield make


@pytest.fixture
def python(tmp_path: Path) -> Path:
    """
    The interpreter of an environment of its own, as a lane's would hold the project.
    """
    from .environments import environment  # noqa: PLC0415  # few tests need it

    return environment(tmp_path / "venv")


@pytest.fixture(scope="session", autouse=True)
def _rules_are_loaded() -> None:
    """
    A score imports half of the rules in a fork of its own, which here would do so thousands of times.
    """
    rules.load()
