"""
Which two trees `oraclekeep score` compares: a base that moved on, the default base, the working copy.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import pytest
from tests.program import BASE, CODE, CORE, GOOD, MORE, TEST, WEAK, branched, run

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.conftest import GitRepo

#: A test of something else: no check that a patch loses stands in it.
OTHER: Final = "def test_other():\n    assert len([1]) == 1\n"


def test_a_base_that_moved_on_is_not_charged_to_the_patch(make_repo: Callable[..., GitRepo]) -> None:
    """
    Checks that base gained meanwhile are not lost by a patch that never had them.
    """
    repo = make_repo()
    branched(repo, {"tests/test_other.py": GOOD})
    start = repo.git("rev-parse", "main")
    repo.git("checkout", "--quiet", "main")
    repo.commit({TEST: MORE})
    answer = run(repo.root, "--base", "main", "--head", "patch", "--json")

    assert (answer.code, answer.rejecting) == (0, [])
    assert (start, repo.git("rev-parse", "main")) == (answer.document["merge_base"], answer.document["base"])


def test_policy_is_the_tips_and_not_the_patchs(make_repo: Callable[..., GitRepo]) -> None:
    """
    What an owner allowed after the patch was begun counts; what the patch allows itself does not.
    """
    repo = make_repo()
    rewrite = {TEST: GOOD.replace("== 3", "== 4"), CODE: CORE.replace("(items)\n", "(items) + 1\n")}
    branched(repo, rewrite, {**BASE, "oracle/intent.json": "{}\n"})
    before = run(repo.root, "--base", "main", "--json")
    repo.git("checkout", "--quiet", "main")
    repo.commit({"oracle/intent.json": BASE["oracle/intent.json"]})
    after = run(repo.root, "--base", "main", "--head", "patch", "--json")
    repo.git("checkout", "--quiet", "main")
    repo.git("reset", "--quiet", "--hard", "HEAD~1")
    repo.git("checkout", "--quiet", "patch")
    repo.commit({"oracle/intent.json": BASE["oracle/intent.json"]})
    own = run(repo.root, "--base", "main", "--json")

    assert before.rejecting == ["expectation-rewritten"]
    assert (after.code, after.document["intent"]) == (0, ["src/shop/core.py"])
    assert {"write-set", "expectation-rewritten"} == set(own.rejecting)


def test_the_folder_it_is_called_from_does_not_matter(make_repo: Callable[..., GitRepo]) -> None:
    repo = make_repo()
    branched(repo, {TEST: WEAK})

    assert (
        run(repo.root, "--base", "main", "--json").document
        == run(repo.root / "src" / "shop", "--base", "main", "--json").document
    )


def test_without_a_base_the_parent_is_taken(make_repo: Callable[..., GitRepo]) -> None:
    """
    No remote and no CI variable: the last commit is the patch, and the report says so.
    """
    repo = make_repo()
    branched(repo, {TEST: WEAK})
    answer = run(repo.root, "--json")

    assert (answer.code, answer.document["base_from"]) == (1, "HEAD~1")


def test_uncommitted_files_are_counted_first(make_repo: Callable[..., GitRepo]) -> None:
    """
    Without `--worktree` the first line says how many files were not judged.
    """
    repo = make_repo()
    branched(repo, {TEST: MORE})
    repo.write({TEST: WEAK, "tests/test_new.py": GOOD})
    answer = run(repo.root, "--base", "main")

    assert answer.code == 0
    assert answer.out.splitlines()[0].startswith("2 uncommitted file")


def test_the_working_copy_is_judged_without_touching_the_index(make_repo: Callable[..., GitRepo]) -> None:
    """
    Tracked and untracked files count, ignored ones do not; index and objects stay as they were.
    """
    repo = make_repo()
    branched(repo, {TEST: MORE}, {**BASE, ".gitignore": "ignored/\n.gate/\n"})
    repo.write({TEST: WEAK, "tests/test_new.py": OTHER, "ignored/test_x.py": "def test(:\n"})
    repo.write({"tests/test_staged.py": OTHER})
    repo.git("add", "tests/test_staged.py")
    index = (repo.root / ".git" / "index").read_bytes()
    objects = sorted((repo.root / ".git" / "objects").rglob("*"))
    answer = run(repo.root, "--base", "main", "--worktree", "--json")
    doc = answer.document

    assert (answer.code, answer.rejecting) == (1, ["oracle-removed"])
    assert doc["head"].startswith("worktree:")
    assert {"tests/test_new.py", "tests/test_staged.py"} <= {one["path"] for one in doc["findings"]}
    assert index == (repo.root / ".git" / "index").read_bytes()
    assert objects == sorted((repo.root / ".git" / "objects").rglob("*"))
    assert "A  tests/test_staged.py" in repo.git("status", "--porcelain")


@pytest.mark.parametrize("words", [("--watch", "--head", "patch"), ("--worktree", "--pushed")], ids=" ".join)
def test_one_thing_is_judged(words: tuple[str, ...], make_repo: Callable[..., GitRepo]) -> None:
    repo = make_repo()
    branched(repo, {TEST: MORE})
    answer = run(repo.root, "--base", "main", *words)

    assert answer.code == 2
    assert "give one" in answer.err


@pytest.mark.parametrize(("sent", "code"), [("patch", 1), ("", 0)])
def test_what_is_pushed_is_judged_whatever_is_checked_out(
    sent: str, code: int, make_repo: Callable[..., GitRepo]
) -> None:
    """
    A pre-push hook knows the commit; without one it is HEAD, where nothing is lost.
    """
    repo = make_repo()
    branched(repo, {TEST: WEAK})
    env = {"PRE_COMMIT_TO_REF": repo.git("rev-parse", "patch") if sent else ""}
    repo.git("switch", "--quiet", "-c", "other", "main")
    repo.commit({TEST: MORE})

    assert code == run(repo.root, "--base", "main", "--pushed", env=env).code


def test_a_deletion_in_the_working_copy_is_judged(make_repo: Callable[..., GitRepo]) -> None:
    repo = make_repo()
    branched(repo, {TEST: MORE})
    (repo.root / TEST).unlink()

    assert {"test-lost"} == set(run(repo.root, "--base", "main", "--worktree", "--json").rejecting)


@pytest.mark.parametrize("testpaths", ["tests pkg", "pkg", "."])
def test_where_pytest_starts_in_the_product_the_product_is_no_test(
    make_repo: Callable[..., GitRepo], testpaths: str
) -> None:
    """
    `testpaths` may name the product for its doctests; its code is production code all the same.
    """
    repo = make_repo()
    base = {
        "pytest.ini": f"[pytest]\ntestpaths = {testpaths}\naddopts = --doctest-modules\n",
        "pkg/__init__.py": "",
        "pkg/core.py": CORE,
        TEST: GOOD.replace("shop.core", "pkg.core"),
    }
    branched(repo, {"pkg/core.py": CORE.replace("(items)\n", "(items) + 1\n")}, base)
    answer = run(repo.root, "--base", "main", "--json")

    assert answer.document["counts"] == {"adoption": 1, "production-only": 1}


def test_a_check_under_every_test_is_missed_however_far_away_it_was(
    make_repo: Callable[..., GitRepo],
) -> None:
    """
    The autouse fixture asks a helper that asks another one; of the three only the last has lost its check.
    """
    check = "from shop.core import total\n\n\ndef check():\n    assert total([1]) == 1\n"
    conftest = (
        "import pytest\n\nfrom tests.asking import probe\n\nSPARE = {}\n\n\n"
        "@pytest.fixture(autouse=True)\ndef sound():\n    '''Raises where it is not.'''\n    probe()\n"
    )
    tree = BASE | {
        "tests/checking.py": check,
        "tests/asking.py": "from tests.checking import check\n\n\ndef probe():\n    check()\n",
        "tests/conftest.py": conftest.format(1),
    }
    repo = make_repo()
    weak = check.replace("assert total([1]) == 1", "total([1])")
    branched(repo, {"tests/checking.py": weak, "tests/conftest.py": conftest.format(2)}, tree)

    assert set(run(repo.root, "--base", "main", "--json").rejecting) == {"oracle-removed"}


def test_a_stopped_clock_is_seen_over_tests_that_stay(make_repo: Callable[..., GitRepo]) -> None:
    timed = (
        "import time\n\nfrom shop.core import total\n\n\ndef test_it_is_fast():\n"
        "    start = time.monotonic()\n    total([1])\n    assert time.monotonic() - start < 1\n"
    )
    still = (
        "import time\n\nimport pytest\n\n\n@pytest.fixture(autouse=True)\ndef still(monkeypatch):\n"
        '    monkeypatch.setattr(time, "monotonic", lambda: 0.0)\n'
    )
    repo = make_repo()
    branched(
        repo,
        {"tests/conftest.py": still},
        BASE | {"tests/conftest.py": "import pytest\n", "tests/test_speed.py": timed},
    )

    assert run(repo.root, "--base", "main", "--json").rejecting == ["oracle-weakened"]


def test_a_fixture_of_an_outer_ones_name_is_read_for_its_own_conftest(
    make_repo: Callable[..., GitRepo],
) -> None:
    """
    The autouse fixture changes, so it is read for all; it asks for one that asks for its namesake.
    """
    conftest = (
        "import pytest\n\n@pytest.fixture\ndef tmp_path(tmp_path):\n    yield tmp_path\n\n"
        "@pytest.fixture(autouse=True)\ndef home(tmp_path, monkeypatch):\n"
        "    monkeypatch.setenv('HOME', '1')\n"
    )
    repo = make_repo()
    branched(
        repo, {"tests/conftest.py": conftest.replace("'1'", "'2'")}, {**BASE, "tests/conftest.py": conftest}
    )

    answer = run(repo.root, "--base", "main", "--head", "patch", "--json")

    assert (answer.code, answer.rejecting) == (0, [])
