"""
Ways past the gate that were tried: none of them may end in "allow", and none may stop an honest patch.
"""

from __future__ import annotations

import datetime as dt
import os
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from oraclekeep import pipeline
from oraclekeep.errors import MissingEvidence, UsageError
from oraclekeep.git import Repo
from oraclekeep.paths import Layout
from oraclekeep.prepare import Request, prepare

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from conftest import GitRepo

TODAY = dt.date(2024, 6, 1)
TEST = "from pkg.core import f\n\ndef test_f():\n    assert f() == 1\n"
CHECKS = """\
TOLERANCE = 0.01

def _near(one, two):
    return abs(one - two) <= TOLERANCE

def check_same(fn, sample, tol=0.1):
    assert fn(sample) == sample

def check_near(fn, sample):
    if not _near(fn(sample), sample):
        raise AssertionError("far")

def check_other(fn, sample):
    assert fn(sample) > 0
"""
BASE: dict[str, str | bytes | None] = {
    "pyproject.toml": (
        '[project]\nname = "pkg"\n[dependency-groups]\ntest = ["hypothesis", "attrs-strict>=1"]\n'
        '[tool.pytest.ini_options]\ntestpaths = ["tests"]\n'
    ),
    "noxfile.py": 'KIT = ("oraclekeep==0.0.9",)\n',
    "src/pkg/__init__.py": "",
    "src/pkg/core.py": "def f():\n    return 1\n",
    "tests/test_core.py": "import decimal\nimport attrs_strict\n" + TEST,
    "oracle/weights.json": "{}\n",
    "oracle/properties/test_law.py": "import statistics\n\ndef test_law():\n    assert 1 == 2 - 1\n",
    "invariants/checks/ours.py": CHECKS,
}


@pytest.fixture
def repo(make_repo: Callable[..., GitRepo]) -> GitRepo:
    """
    A repository with a policy on `main`, and a branch `patch` to work on.
    """
    repo = make_repo()
    repo.commit(BASE, "base")
    repo.git("checkout", "--quiet", "-b", "patch")
    return repo


def on_main(repo: GitRepo, files: dict[str, str | bytes | None]) -> None:
    repo.git("checkout", "--quiet", "main")
    repo.commit(files)
    repo.git("checkout", "--quiet", "-B", "patch")


def score(repo: GitRepo, *, head: str = "patch", worktree: bool = False) -> pipeline.Score:
    return pipeline.score(pipeline.Request(repo.root, TODAY, "main", head, worktree))


def rows(found: pipeline.Score) -> list[str]:
    return sorted({charge.finding.row for charge in found.spend.charges})


# ---------------------------------------------------------------------------------------------- what Git says


def test_a_test_that_a_merge_threw_away_is_not_hidden_between_two_merge_bases(repo: GitRepo) -> None:
    """
    Base has merged the patch's first half; the patch then merged base's older tip and dropped its new test.
    """
    repo.git("checkout", "--quiet", "main")
    theirs = repo.commit({"tests/test_new.py": TEST})
    repo.git("checkout", "--quiet", "patch")
    first = repo.commit({"src/pkg/more.py": "x = 1\n"})
    repo.git("checkout", "--quiet", "main")
    repo.git("merge", "--quiet", "--no-edit", "patch")
    repo.git("checkout", "--quiet", "patch")
    repo.git("merge", "--quiet", "--no-commit", theirs)
    repo.git("rm", "--quiet", "--force", "tests/test_new.py")
    repo.commit()
    assert first in repo.git("merge-base", "--all", "main", "patch")

    with pytest.raises(MissingEvidence, match=r"2 merge bases.*run `git merge"):
        score(repo)

    repo.git("merge", "--quiet", "--no-edit", "main")
    assert "test-lost" in rows(score(repo)), "with the merge that the message asks for, it shows"


def test_a_submodule_that_asks_to_be_ignored_is_seen(repo: GitRepo) -> None:
    base = repo.git("rev-parse", "main")
    repo.write({".gitmodules": '[submodule "v"]\n\tpath = v\n\turl = ../v\n\tignore = all\n'})
    repo.git("add", ".gitmodules")
    repo.git("update-index", "--add", "--cacheinfo", f"160000,{base},v")
    repo.git("commit", "--quiet", "--message", "module")

    deltas = Repo(repo.root).deltas("main", "patch")

    assert [delta.path for delta in deltas] == [".gitmodules", "v"]


@pytest.mark.parametrize("how", ["replace", "graft"])
def test_what_this_clone_would_see_in_a_commits_place_does_not_count(repo: GitRepo, how: str) -> None:
    repo.commit({"tests/test_core.py": TEST.replace("== 1", "")})
    if how == "replace":
        repo.git("replace", "patch^{tree}", "main^{tree}")
    else:
        grafts = repo.root / ".git" / "info" / "grafts"
        grafts.parent.mkdir(exist_ok=True)
        grafts.write_text(f"{repo.git('rev-parse', 'main')} {repo.git('rev-parse', 'patch')}\n")

    assert "oracle-weakened" in rows(score(repo))


# ------------------------------------------------------------------------------------------- whose path it is


@pytest.mark.parametrize(
    "path",
    [
        "oracle",  # a link, a submodule or a file in the folder's place
        "invariants",
        ".github",
        ".github/workflows",
        "Oracle/gate.yaml",  # one file with oracle/gate.yaml on a disk that ignores case
        "NoxFile.py",
        "tas\N{KELVIN SIGN}s.py",
        "codeowners",
    ],
)
def test_what_takes_the_place_of_an_owned_path_is_owned(path: str) -> None:
    assert Layout().is_human_owned(path)


@pytest.mark.parametrize(
    "path", ["oracles/x.py", "src/oracle/db.py", "git/x.py", "tasks/a.py", "invariants/proposed/a.yaml"]
)
def test_a_name_that_is_only_alike_is_not_owned(path: str) -> None:
    assert not Layout().is_human_owned(path)


def test_a_candidate_may_go_with_an_owner_patch(repo: GitRepo) -> None:
    repo.commit(
        {"oracle/weights.json": '{"assert_removed": 2}\n', "invariants/proposed/a.yaml": "version: 1\n"}
    )

    found = score(repo)

    assert found.kind.value == "owner"
    assert "write-set" not in rows(found)


def test_what_the_gate_keeps_for_itself_is_not_committed(repo: GitRepo) -> None:
    for folder in (".gate/kit", ".nox/gate", ".NOX/gate"):
        repo.commit({f"{folder}/json.py": "x = 1\n"})
        assert "machinery-weakened" in rows(score(repo)), folder
        repo.git("reset", "--quiet", "--hard", "main")


def test_uncommitted_policy_is_not_signed(repo: GitRepo) -> None:
    on_main(repo, {"oracle/gate.yaml": "owners: signed\n"})
    repo.write({"oracle/gate.yaml": "owners: signed\nrepeats: 3\n"})
    assert "owner-unproven" in rows(score(repo, worktree=True))

    repo.git("checkout", "--quiet", "--", ".")
    repo.write({"src/pkg/core.py": "def f():\n    return 2\n"})
    assert "owner-unproven" not in rows(score(repo, worktree=True))


# ---------------------------------------------------------------------------------------------- empty patches


def test_an_empty_patch_still_sees_a_stale_lock_and_an_overdrawn_ledger(repo: GitRepo) -> None:
    row = (
        '{"nodeid": "tests/test_core.py::test_f", "issue": "I-1", "reason": "r", '
        '"expires": "2024-08-01", "points": 9}'
    )
    on_main(
        repo,
        {
            "oracle/quarantine.json": f'{{"items": [{row}]}}\n',
            "oracle/fixtures.lock": "0" * 64 + "\n",
            "tests/fixtures/a.json": "[]\n",
        },
    )

    found = score(repo)

    assert found.kind.value == "empty"
    assert rows(found) == ["lock-stale", "overdrawn"]


def test_an_empty_patch_on_a_sound_base_says_nothing(repo: GitRepo) -> None:
    assert rows(score(repo)) == []


# ----------------------------------------------------------------------------------------- the owner's checks


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("    assert fn(sample) == sample\n", ""),
        ("assert fn(sample) == sample", "assert fn(sample) == sample or True"),
        ("assert fn(sample) == sample", "return"),
        ("TOLERANCE = 0.01", "TOLERANCE = 10"),
        ('        raise AssertionError("far")', "        pass"),
        (CHECKS[CHECKS.index("def check_other") :], ""),
    ],
)
def test_a_check_of_the_inventory_that_can_fail_less_is_a_property_removed(
    repo: GitRepo, old: str, new: str
) -> None:
    repo.commit({"invariants/checks/ours.py": CHECKS.replace(old, new)})

    assert "property-removed" in rows(score(repo))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"far"', 'f"too far: {sample}"'),
        ("def check_other", "def check_more(fn, sample):\n    assert fn(sample)\n\ndef check_other"),
        ("fn(sample) > 0", "fn(sample) > 0, sample"),
    ],
)
def test_an_honest_edit_of_the_checks_says_nothing(repo: GitRepo, old: str, new: str) -> None:
    repo.commit({"invariants/checks/ours.py": CHECKS.replace(old, new)})

    assert "property-removed" not in rows(score(repo))


# ----------------------------------------------------------------------------------------- shadowed libraries


@pytest.mark.parametrize(
    "path",
    [
        "hypothesis.py",
        "src/hypothesis/__init__.py",
        "src/statistics.py",  # oracle/properties imports it
        "tests/decimal.py",
        "attrs_strict.py",
        "src/sitecustomize/__init__.py",
        "usercustomize.pyc",
    ],
)
def test_a_module_that_answers_for_a_library_is_reported(repo: GitRepo, path: str) -> None:
    repo.commit({path: "x = 1\n"})

    assert "collection-tampered" in rows(score(repo))


@pytest.mark.parametrize(
    "path", ["src/pkg/decimal.py", "calendar.py", "src/pkg/statistics/__init__.py", "more.py"]
)
def test_a_module_that_nobody_would_meet_says_nothing(repo: GitRepo, path: str) -> None:
    repo.commit({path: "x = 1\n"})

    assert "collection-tampered" not in rows(score(repo))


@pytest.mark.parametrize(
    ("old", "new", "reported"),
    [
        ('"hypothesis"', '"hypothesis @ file:./lib/hypothesis.whl"', True),
        ('"hypothesis"', '"hypothesis[cli] @ git+https://example.invalid/h"', True),
        ("[tool.pytest", '[tool.uv.sources]\nhypothesis = {path = "lib"}\n[tool.pytest', True),
        ('"hypothesis"', '"hypothesis>=6"', False),
        ('"hypothesis"', '"hypothesis", "torch @ https://example.invalid/t.whl"', False),
        ("[tool.pytest", '[tool.uv.sources]\ntorch = {index = "cpu"}\n[tool.pytest', False),
    ],
)
def test_a_test_tool_comes_by_its_version(repo: GitRepo, old: str, new: str, *, reported: bool) -> None:
    repo.commit({"pyproject.toml": str(BASE["pyproject.toml"]).replace(old, new, 1)})

    assert ("collection-tampered" in rows(score(repo))) is reported


@pytest.mark.parametrize(
    ("path", "text", "reported"),
    [
        ("tests/requirements.txt", "pytest @ https://example.invalid/p.whl\n", True),
        ("requirements/tests.txt", "https://example.invalid/pytest-9.0-py3-none-any.whl\n", True),
        ("requirements-dev.txt", "./vendor/pluggy-1.0.tar.gz  # ours\n", True),
        ("reqs/dev.in", "-e ../pytest\n", True),
        ("dev-requirements.txt", "git+https://example.invalid/fork#egg=hypothesis\n", True),
        ("tox.ini", "[testenv]\ndeps =\n    git+https://example.invalid/x/pytest.git@main\n", True),
        ("lib/pyproject.toml", "[tool.poetry.dev-dependencies]\npytest = {git = 'x://p'}\n", True),
        ("tox.toml", "[env_run_base]\ndeps = ['vendor/pytest-9.0-py3-none-any.whl']\n", True),
        ("Pipfile", "[dev-packages]\nhypothesis = {path = 'vendor'}\n", True),
        ("tests/requirements.txt", "pytest>=8\npytest-mock @ https://x.invalid/pytest-mock.whl\n", False),
        ("requirements.txt", "# see https://github.com/pytest-dev/pytest\n-r tests/pytest\nsix\n", False),
        ("tox.ini", "[testenv]\ncommands = {envbindir}/pytest tests\n", False),
        ("lib/pyproject.toml", "[project.urls]\nBase = 'https://github.com/pytest-dev/pytest'\n", False),
        ("lib/pyproject.toml", "[tool.pytest]\npythonpath = ['vendor/pytest']\n", False),
    ],
)
def test_a_test_tool_comes_by_its_version_wherever_it_is_declared(
    repo: GitRepo, path: str, text: str, *, reported: bool
) -> None:
    repo.commit({path: text})
    told = [
        charge
        for charge in score(repo).spend.charges
        if "no longer installed by its version" in charge.finding.message
    ]

    assert bool(told) is reported


# ----------------------------------------------------------------------------------------------------- .gate/


def assemble(repo: GitRepo, **wishes: Any) -> tuple[str, ...]:
    return prepare(repo.root, Request(base="main", today="2024-06-01", **wishes), {}).notes


def test_the_import_path_of_the_lanes_holds_the_kit_alone(repo: GitRepo) -> None:
    kit = repo.root / ".gate" / "kit"
    kit.mkdir(parents=True)
    (kit / "tempfile.py").write_text("raise SystemExit(0)\n")
    (kit / "hashlib").symlink_to(repo.root)

    assemble(repo)

    assert [path.name for path in kit.iterdir()] == ["oraclekeep_lanekit"]


def test_a_link_in_place_of_the_gates_folder_is_refused(repo: GitRepo, tmp_path: Path) -> None:
    (repo.root / ".gate").symlink_to(tmp_path)

    with pytest.raises(UsageError, match="is a link"):
        assemble(repo)


def test_a_fresh_run_keeps_nothing_that_an_earlier_one_left_in_its_trees(repo: GitRepo) -> None:
    assemble(repo)
    left = repo.root / ".gate" / "trees" / "suite" / "conftest.py"
    left.write_text("collect_ignore_glob = ['*']\n")
    assemble(repo)
    assert left.exists(), "a lane of the same run may be at work there"

    assemble(repo, fresh=True)

    assert not left.exists()


def test_no_attribute_of_the_patch_turns_the_owners_files_into_others(repo: GitRepo) -> None:
    repo.commit({".gitattributes": "* text eol=crlf\n"})

    assemble(repo)

    law = repo.root / ".gate" / "trees" / "properties" / "oracle" / "properties" / "test_law.py"
    assert law.read_bytes().decode() == BASE["oracle/properties/test_law.py"]


def test_says_that_base_names_another_kit(repo: GitRepo) -> None:
    assert any("CI runs base's, 0.0.9" in note for note in assemble(repo))


def test_names_that_are_not_utf_8_are_prepared_like_others(repo: GitRepo) -> None:
    (repo.root / "tests" / "data\udce9.py").write_text("x = 1\n")
    repo.commit()

    assemble(repo)


# ------------------------------------------------------------------------------------------------- our answer


def test_a_terminal_that_lacks_a_letter_gets_the_answer_all_the_same(repo: GitRepo) -> None:
    repo.commit({"src/pkg/more.py": "x = 1\n"})
    prepare(repo.root, Request(base="main"), {})
    done = subprocess.run(
        [sys.executable, "-m", "oraclekeep", "verdict", "--base", "main"],
        cwd=repo.root,
        env={**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        check=False,
    )

    assert done.returncode == 1, done.stderr.decode()
    assert "suite" in done.stdout.decode("ascii")
