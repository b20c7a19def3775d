"""
`.pre-commit-hooks.yaml`, run by the programs that read it: what they install, and what they stop.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest

from .program import BASE, CODE, MORE, SOURCE, TEST, WEAK

if TYPE_CHECKING:
    from pathlib import Path

    from tests.conftest import GitRepo

pytestmark = pytest.mark.templates

ROOT = SOURCE.parent
#: What a checkout of the kit needs to be built.
KIT = (".pre-commit-hooks.yaml", "pyproject.toml", "README.md", "LICENSE", "noxw", "src", "ci")
CONFIG = """\
default_install_hook_types: [pre-commit, pre-push]
repos:
  - repo: {kit}
    rev: v0.1.0
    hooks:
      - id: oraclekeep-writeset
      - id: oraclekeep-score
"""


@pytest.fixture(scope="module")
def caches(tmp_path_factory) -> dict[str, str]:
    """
    Where both programs keep the kit that they have installed.
    """
    folder = tmp_path_factory.mktemp("hooks")
    return {"PRE_COMMIT_HOME": str(folder / "pre-commit"), "PREK_HOME": str(folder / "prek")}


@pytest.fixture
def kit(make_repo) -> Path:
    made = make_repo("kit")
    ignored = shutil.ignore_patterns("__pycache__")
    for name in KIT:
        source, target = ROOT / name, made.root / name
        if source.is_dir():
            shutil.copytree(source, target, ignore=ignored)
        else:
            shutil.copyfile(source, target)
    made.commit()
    made.git("tag", "v0.1.0")
    return made.root


@pytest.fixture(params=["pre-commit", "prek"])
def repo(request, make_repo, kit: Path, caches: dict[str, str], monkeypatch) -> GitRepo:
    """
    A repository with the hooks installed, on a branch, and an origin that has main.
    """
    for name, value in caches.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("XDG_CACHE_HOME", str(kit.parent / "cache"))
    program = shutil.which(request.param)
    assert program, f"{request.param} is not installed: `nox -s templates` does it"
    made = make_repo("scratch")
    made.commit({**BASE, ".pre-commit-config.yaml": CONFIG.format(kit=kit), ".gitignore": "/.gate/\n"})
    made.git("init", "--quiet", "--bare", str(made.root.parent / "origin"))
    made.git("remote", "add", "origin", str(made.root.parent / "origin"))
    made.git("push", "--quiet", "origin", "main")
    made.git("switch", "--quiet", "-c", "work")
    subprocess.run((program, "install"), cwd=made.root, check=True, capture_output=True)
    return made


def git(repo: GitRepo, *words: str) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        ("git", *words), cwd=repo.root, check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        text=True, env=dict(os.environ),
    )  # fmt: skip
    assert "Traceback" not in done.stdout
    return done


def test_a_mixed_commit_is_stopped_and_split_as_it_says(repo: GitRepo) -> None:
    repo.write({CODE: "X = 1\n", "oracle/weights.json": "{}\n"})
    repo.git("add", "--all")
    mixed = git(repo, "commit", "--message", "mixed")

    assert mixed.returncode == 1
    assert "oracle/weights.json: it is human-owned" in mixed.stdout, mixed.stdout
    advice = next(line for line in mixed.stdout.splitlines() if "git restore --staged" in line)
    assert git(repo, *advice.partition("git ")[2].split()).returncode == 0
    assert git(repo, "commit", "--message", "the agent's half").returncode == 0
    assert repo.git("show", "--name-only", "--format=", "HEAD") == CODE


def test_a_push_that_drops_a_check_is_stopped(repo: GitRepo) -> None:
    repo.commit({TEST: MORE})
    honest = git(repo, "push", "origin", "work")
    repo.commit({TEST: WEAK})
    weaker = git(repo, "push", "origin", "work")

    assert honest.returncode == 0, honest.stdout
    assert weaker.returncode == 1
    assert "oracle-removed" in weaker.stdout
    assert repo.git("ls-remote", "origin", "work").split()[0] == repo.git("rev-parse", "HEAD~1")


def test_what_is_pushed_is_scored_and_not_what_is_checked_out(repo: GitRepo) -> None:
    repo.commit({TEST: WEAK})
    repo.git("switch", "--quiet", "-c", "innocent", "main")
    repo.commit({TEST: MORE})

    assert git(repo, "push", "origin", "work").returncode == 1
    assert git(repo, "push", "origin", "innocent").returncode == 0
