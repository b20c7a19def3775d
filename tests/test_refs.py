"""
Which base a run compares with when nobody names one, and what the working copy is as a tree.
"""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING

import pytest

from oraclekeep.errors import Exit, MissingEvidence
from oraclekeep.git import Repo
from oraclekeep.refs import default_base, uncommitted, worktree_tree

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from conftest import GitRepo


@pytest.fixture
def clone(make_repo: Callable[..., GitRepo]) -> GitRepo:
    """
    A clone with branch `patch` checked out, two commits ahead of `origin/main`, and `origin/release`.
    """
    origin = make_repo("origin")
    origin.commit({"a.txt": "1"})
    origin.git("branch", "release")
    origin.commit({"a.txt": "2"})
    here = make_repo("clone")
    here.git("remote", "add", "origin", str(origin.root))
    here.git("fetch", "--quiet", "origin")
    here.git("checkout", "--quiet", "-b", "patch", "origin/main")
    here.commit({"b.txt": "1"})
    here.commit({"b.txt": "2"})
    return here


def commit(repo: GitRepo, name: str) -> str:
    return repo.git("rev-parse", name)


@pytest.mark.parametrize(
    ("environ", "expected"),
    [
        ({}, "origin/main"),
        ({"GITHUB_BASE_REF": "release"}, "origin/release"),
        ({"GITHUB_BASE_REF": "", "CI_MERGE_REQUEST_TARGET_BRANCH_NAME": "release"}, "origin/release"),
        ({"CHANGE_TARGET": "release"}, "origin/release"),
        ({"BITBUCKET_PR_DESTINATION_BRANCH": "release"}, "origin/release"),
        ({"SYSTEM_PULLREQUEST_TARGETBRANCH": "refs/heads/release"}, "origin/release"),
        ({"BUILDKITE_PULL_REQUEST_BASE_BRANCH": "release"}, "origin/release"),
        ({"TRAVIS_BRANCH": "release", "TRAVIS_PULL_REQUEST": "12"}, "origin/release"),
        ({"TRAVIS_BRANCH": "release", "TRAVIS_PULL_REQUEST": "false"}, "origin/main"),
    ],
)
def test_base_is_where_ci_says_the_patch_would_land(
    clone: GitRepo, environ: dict[str, str], expected: str
) -> None:
    found, _ = default_base(Repo(clone.root), commit(clone, "HEAD"), environ)

    assert commit(clone, expected) == found


def test_a_commit_named_by_ci_is_taken_as_it_is(clone: GitRepo) -> None:
    wanted = commit(clone, "origin/release")

    found, origin = default_base(
        Repo(clone.root), commit(clone, "HEAD"), {"CI_MERGE_REQUEST_DIFF_BASE_SHA": wanted}
    )

    assert (wanted, f"CI_MERGE_REQUEST_DIFF_BASE_SHA ({wanted})") == (found, origin)


def test_a_merge_queue_says_it_in_the_event_file(clone: GitRepo, tmp_path: Path) -> None:
    wanted = commit(clone, "origin/release")
    event = tmp_path / "event.json"
    event.write_text(json.dumps({"merge_group": {"base_sha": wanted}}))
    environ = {"GITHUB_EVENT_NAME": "merge_group", "GITHUB_EVENT_PATH": str(event)}

    assert wanted == default_base(Repo(clone.root), commit(clone, "HEAD"), environ)[0]


@pytest.mark.parametrize(
    ("environ", "says"),
    [
        ({"GITHUB_BASE_REF": "gone"}, "git fetch origin gone"),
        ({"CI_MERGE_REQUEST_DIFF_BASE_SHA": "1" * 40}, "not in this clone"),
        ({"GITHUB_EVENT_NAME": "merge_group", "GITHUB_EVENT_PATH": "no such file"}, "pass --base"),
    ],
)
def test_a_target_that_the_clone_lacks_is_an_error(
    clone: GitRepo, environ: dict[str, str], says: str
) -> None:
    """
    Falling back to another base would judge another patch.
    """
    with pytest.raises(MissingEvidence, match=says) as caught:
        default_base(Repo(clone.root), commit(clone, "HEAD"), environ)

    assert caught.value.exit is Exit.CANNOT_JUDGE


def test_where_base_equals_head_the_last_commit_is_the_patch(clone: GitRepo) -> None:
    head = commit(clone, "origin/main")

    assert commit(clone, "origin/main~1") == default_base(Repo(clone.root), head, {})[0]


def test_without_a_remote_the_last_commit_is_the_patch(make_repo: Callable[..., GitRepo]) -> None:
    repo = make_repo()
    first = repo.commit({"a.txt": "1"})
    head = repo.commit({"a.txt": "2"})

    assert (first, "HEAD~1") == default_base(Repo(repo.root), head, {})


def test_the_first_commit_has_no_base(make_repo: Callable[..., GitRepo]) -> None:
    repo = make_repo()
    head = repo.commit({"a.txt": "1"})

    with pytest.raises(MissingEvidence, match="is the first commit"):
        default_base(Repo(repo.root), head, {})


def test_a_shallow_clone_is_told_how_to_mend_itself(
    make_repo: Callable[..., GitRepo], tmp_path: Path
) -> None:
    origin = make_repo("origin")
    origin.commit({"a.txt": "1"})
    head = origin.commit({"a.txt": "2"})
    origin.git("clone", "--quiet", "--depth=1", f"file://{origin.root}", str(tmp_path / "shallow"))

    with pytest.raises(MissingEvidence, match="git fetch --unshallow"):
        default_base(Repo(tmp_path / "shallow"), head, {})


def test_the_working_copy_starts_from_head(make_repo: Callable[..., GitRepo]) -> None:
    repo = make_repo()
    head = repo.commit({"a.txt": "1"})

    assert (head, "HEAD") == default_base(Repo(repo.root), "worktree:" + "0" * 40, {})


# ---------------------------------------------------------------------------------------- the working copy


@pytest.fixture
def dirty(make_repo: Callable[..., GitRepo]) -> GitRepo:
    """
    Something staged, something not, something new, something ignored, something hidden from `git status`.
    """
    repo = make_repo()
    repo.commit(
        {".gitignore": "*.log\n", "kept.txt": "1", "old.txt": "1", "staged.txt": "1", "hidden.txt": "1"}
    )
    repo.write({"staged.txt": "2"})
    repo.git("add", "staged.txt")
    repo.git("update-index", "--assume-unchanged", "hidden.txt")
    repo.write(
        {
            "staged.txt": "3",
            "hidden.txt": "2",
            "old.txt": None,
            "new é.txt": "1",
            "x.log": "1",
            ".gate/run.json": "{}",
        }
    )
    return repo


def git_bytes(repo: GitRepo) -> dict[str, str]:
    return {
        str(path.relative_to(repo.root)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted((repo.root / ".git").rglob("*"))
        if path.is_file()
    }


def test_the_tree_holds_what_git_add_would_take(dirty: GitRepo, tmp_path: Path) -> None:
    objects = tmp_path / "objects"
    before = git_bytes(dirty)

    tree = worktree_tree(Repo(dirty.root), objects)

    repo = Repo(dirty.root, objects)
    assert list(repo.ls(tree)) == [".gitignore", "hidden.txt", "kept.txt", "new é.txt", "staged.txt"]
    assert repo.git("cat-file", "blob", f"{tree}:staged.txt") == b"3"
    assert repo.git("cat-file", "blob", f"{tree}:hidden.txt") == b"2"
    assert before == git_bytes(dirty), "the user's index and objects are as they were"


@pytest.mark.parametrize("ignored", ["", "/.gate/\n", ".gate\n"])
def test_the_gates_own_folder_is_in_no_tree(
    make_repo: Callable[..., GitRepo], tmp_path: Path, ignored: str
) -> None:
    repo = make_repo()
    repo.commit({".gitignore": ignored, "a.txt": "1"})
    repo.write({".gate/run.json": "{}", "a.txt": "2"})

    tree = worktree_tree(Repo(repo.root), tmp_path / "objects")

    assert list(Repo(repo.root, tmp_path / "objects").ls(tree)) == [".gitignore", "a.txt"]
    assert uncommitted(Repo(repo.root)) == 1


def test_says_how_many_files_are_not_judged(dirty: GitRepo) -> None:
    assert uncommitted(Repo(dirty.root)) == 3  # staged.txt, old.txt and the new one


def test_a_clean_copy_leaves_nothing_out(make_repo: Callable[..., GitRepo]) -> None:
    repo = make_repo()
    repo.commit({"a.txt": "1"})

    assert uncommitted(Repo(repo.root)) == 0


def test_a_repository_without_a_working_copy_leaves_nothing_out(
    make_repo: Callable[..., GitRepo], tmp_path: Path
) -> None:
    repo = make_repo()
    repo.commit({"a.txt": "1"})
    repo.git("clone", "--quiet", "--bare", str(repo.root), str(tmp_path / "bare"))

    assert uncommitted(Repo(tmp_path / "bare")) == 0
