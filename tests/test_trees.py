"""
What `prepare` assembles, and that it costs the user's repository nothing.
"""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any

import pytest

from oraclekeep.errors import MissingEvidence, UsageError
from oraclekeep.prepare import Request, prepare

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from conftest import GitRepo

BASE: dict[str, str | bytes | None] = {
    "pyproject.toml": '[project]\nname = "pkg"\n[tool.pytest.ini_options]\ntestpaths = ["tests"]\n',
    "noxfile.py": "# base\n",
    "src/pkg/__init__.py": "",
    "src/pkg/core.py": "def f():\n    return 1\n",
    "tests/conftest.py": "# base\n",
    "tests/helpers.py": "def same(a, b):\n    assert a == b\n",
    "tests/test_core.py": "from helpers import same\n\ndef test_f():\n    same(1, 1)\n",
    "tests/test_other.py": "def test_g():\n    assert True is not None\n",
    "tests/deep/conftest.py": "",
    "tests/deep/test_deep.py": "def test_h():\n    assert 1 + 1 == 2\n",
    "tests/data/table.csv": "a,b\n",
    "oracle/weights.json": "{}\n",
    "oracle/properties/test_law.py": "def test_law():\n    assert 1 < 2\n",
}


@pytest.fixture
def repo(make_repo: Callable[..., GitRepo]) -> GitRepo:
    """
    A repository with a policy on `main`, and a branch `patch` to work on.
    """
    repo = make_repo()
    repo.commit(BASE, "base")
    repo.git("tag", "v1.2.3")
    repo.git("checkout", "--quiet", "-b", "patch")
    return repo


def run(repo: GitRepo, **wishes: Any) -> Mapping[str, Any]:
    wishes = {"base": "main", "today": "2026-03-01", **wishes}
    return prepare(repo.root, Request(**wishes), {}).run


def tree(repo: GitRepo, lane: str) -> Path:
    return repo.root / ".gate" / "trees" / lane


def text(repo: GitRepo, lane: str, name: str) -> str | None:
    path = tree(repo, lane) / name
    return path.read_text() if path.exists() else None


def everything(root: Path, but: str = ".gate") -> dict[str, str]:
    return {
        path.relative_to(root).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(root.rglob("*"))
        if path.is_file() and path.relative_to(root).parts[0] != but
    }


@pytest.mark.parametrize("wishes", [{}, {"worktree": True}])
def test_the_users_repository_is_as_it_was(repo: GitRepo, wishes: dict[str, bool]) -> None:
    """
    Refs, index, objects, stash, worktree list and working copy: the same bytes before and after.
    """
    repo.commit({"src/pkg/core.py": "def f():\n    return 2\n"})
    repo.write({"src/pkg/core.py": "half done\n"})
    repo.git("stash")
    repo.write({"tests/test_other.py": "staged\n", "new.txt": "untracked\n"})
    repo.git("add", "tests/test_other.py")
    before, status = everything(repo.root), repo.git("status", "--porcelain")

    run(repo, **wishes)

    assert before == everything(repo.root)
    assert status == repo.git("status", "--porcelain"), ".gate ignores itself"


def test_every_lane_has_its_own_mix_of_base_and_patch(repo: GitRepo) -> None:
    repo.commit(
        {
            "src/pkg/core.py": "def f():\n    return 2\n",
            "tests/conftest.py": "# patched\n",
            "tests/test_core.py": "def test_f():\n    assert True\n",
            "tests/test_new.py": "def test_new():\n    assert 1\n",
            "tests/data/table.csv": "patched\n",
            "noxfile.py": "# patched\n",
            "ci/green.sh": "exit 0\n",
            "oracle/properties/test_law.py": None,
        }
    )
    run(repo)

    core, conftest, law = "src/pkg/core.py", "tests/conftest.py", "oracle/properties/test_law.py"
    for lane in ("suite", "properties", "inventory", "characterization", "witness"):
        assert "return 2" in (text(repo, lane, core) or ""), f"{lane} runs the patched code"
        assert text(repo, lane, "noxfile.py") == "# base\n", f"{lane} has base's machinery"
        assert text(repo, lane, "ci/green.sh") is None, f"{lane} has no machinery that the patch adds"
        assert BASE[law] == text(repo, lane, law), f"{lane} has base's properties"
    assert text(repo, "suite", conftest) == "# patched\n"
    assert text(repo, "suite", "tests/test_new.py") is not None
    for lane in ("characterization", "properties", "inventory"):
        assert text(repo, lane, conftest) == "# base\n"
        assert text(repo, lane, "tests/test_new.py") is None
        assert text(repo, lane, "tests/data/table.csv") == "a,b\n"
    assert "return 1" in (text(repo, "specimens", core) or "")
    assert text(repo, "specimens", "tests/test_new.py") is not None


def test_what_would_land_holds_what_base_did_meanwhile(repo: GitRepo) -> None:
    repo.commit({"src/pkg/core.py": "def f():\n    return 2\n"})
    repo.git("checkout", "--quiet", "main")
    repo.commit({"src/pkg/more.py": "x = 1\n", "oracle/properties/test_law.py": "# newer\n"})
    repo.git("checkout", "--quiet", "patch")

    made = run(repo)

    assert made["merge_base"] == repo.git("rev-parse", "main~1")
    assert "return 2" in (text(repo, "suite", "src/pkg/core.py") or "")
    assert text(repo, "suite", "src/pkg/more.py") == "x = 1\n"
    assert text(repo, "properties", "oracle/properties/test_law.py") == "# newer\n"


def test_a_conflict_names_the_files_and_the_way_out(repo: GitRepo) -> None:
    repo.commit({"src/pkg/core.py": "def f():\n    return 2\n"})
    run(repo)
    repo.git("checkout", "--quiet", "main")
    repo.commit({"src/pkg/core.py": "def f():\n    return 3\n"})
    repo.git("checkout", "--quiet", "patch")

    with pytest.raises(MissingEvidence, match=r"conflicts .* in src/pkg/core\.py; rebase"):
        run(repo)

    assert not (repo.root / ".gate/run.json").exists(), "the last run must not stand in for this one"


def test_an_owner_patch_runs_what_it_proposes_too(repo: GitRepo) -> None:
    repo.commit({"oracle/properties/test_law.py": "def test_law():\n    assert 2 < 3\n"})

    made = run(repo)

    assert made["patch"] == "owner"
    assert made["lanes"]["proposed"]["required"] is True
    assert "2 < 3" in (text(repo, "proposed", "oracle/properties/test_law.py") or "")
    assert "1 < 2" in (text(repo, "properties", "oracle/properties/test_law.py") or "")


@pytest.mark.parametrize(
    ("patch", "expected"),
    [
        ({"src/pkg/core.py": "x = 1\n"}, []),
        ({"tests/test_core.py": "x = 1\n"}, ["tests/test_core.py"]),
        ({"tests/test_core.py": None}, ["tests/test_core.py"]),
        ({"tests/test_new.py": "x = 1\n"}, []),
        ({"tests/helpers.py": "x = 1\n"}, ["tests/test_core.py"]),
        ({"tests/deep/conftest.py": "x = 1\n"}, ["tests/deep/test_deep.py"]),
        (
            {"tests/data/table.csv": "x\n"},
            ["tests/deep/test_deep.py", "tests/test_core.py", "tests/test_other.py"],
        ),
        (
            {"tests/conftest.py": "x = 1\n"},
            ["tests/deep/test_deep.py", "tests/test_core.py", "tests/test_other.py"],
        ),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, dict) else None,
)
def test_base_tests_run_where_the_patch_touches_or_reaches_them(
    repo: GitRepo, patch: dict[str, str | None], expected: list[str]
) -> None:
    repo.commit(patch)

    lane = run(repo)["lanes"]["characterization"]

    assert expected == [] if lane["empty_ok"] else expected == lane["args"]


def test_a_helper_that_conftest_uses_reaches_all_tests(repo: GitRepo) -> None:
    repo.git("checkout", "--quiet", "main")
    repo.commit({"tests/conftest.py": "import helpers\n"})
    repo.git("checkout", "--quiet", "-B", "patch")
    repo.commit({"tests/helpers.py": "x = 1\n"})

    args = run(repo)["lanes"]["characterization"]["args"]

    assert args == ["tests/deep/test_deep.py", "tests/test_core.py", "tests/test_other.py"]


def test_base_tests_run_under_bases_configuration(repo: GitRepo) -> None:
    patched = str(BASE["pyproject.toml"]) + 'addopts = "--deselect tests/test_core.py"\n'
    repo.commit({"pyproject.toml": patched, "tests/test_core.py": "x = 1\n"})

    lanes = run(repo)["lanes"]

    assert lanes["suite"]["config"] == "pyproject.toml"
    assert text(repo, "suite", "pyproject.toml") == patched
    for lane in ("characterization", "properties"):
        assert lanes[lane]["config"] != "pyproject.toml"
        assert BASE["pyproject.toml"] == text(repo, lane, lanes[lane]["config"])
        assert text(repo, lane, "pyproject.toml") == patched, "the build is the patch's"


def test_without_any_configuration_an_empty_one_keeps_other_folders_out(repo: GitRepo) -> None:
    repo.git("checkout", "--quiet", "main")
    repo.commit({"pyproject.toml": '[project]\nname = "pkg"\n'})
    repo.git("checkout", "--quiet", "-B", "patch")
    repo.commit({"src/pkg/core.py": "x = 1\n"})

    lane = run(repo)["lanes"]["suite"]

    assert text(repo, "suite", lane["config"]) == "[pytest]\n"
    assert lane["args"] == ["tests"], "the suite leaves base's properties to their own lane"


def test_the_same_run_keeps_its_nonces_and_its_trees(repo: GitRepo) -> None:
    repo.commit({"src/pkg/core.py": "x = 1\n"})
    first = run(repo)
    mark = tree(repo, "suite") / "build.log"
    mark.write_text("left by the lane\n")
    report = repo.root / ".gate/junit/suite.xml"
    report.parent.mkdir()
    report.write_text("<testsuites/>")

    assert first == run(repo)
    assert mark.exists()
    assert report.exists()
    assert first == json.loads((repo.root / ".gate/run.json").read_text())


@pytest.mark.parametrize(
    "wishes", [{"fresh": True}, {"today": "2026-03-02"}, {"head": "patch~1", "base": "main"}]
)
def test_another_run_has_other_nonces_and_no_old_reports(repo: GitRepo, wishes: dict[str, Any]) -> None:
    repo.commit({"src/pkg/core.py": "x = 1\n"})
    repo.commit({"src/pkg/core.py": "x = 2\n"})
    first = run(repo)
    report = repo.root / ".gate/junit/suite.xml"
    report.parent.mkdir()
    report.write_text("<testsuites/>")

    second = run(repo, **wishes)

    nonces = {lane["nonce"] for made in (first, second) for lane in made["lanes"].values()}
    assert len(nonces) == len(first["lanes"]) + len(second["lanes"])
    assert not report.exists()


def test_a_tree_that_was_tampered_with_is_made_anew(repo: GitRepo) -> None:
    repo.commit({"src/pkg/core.py": "x = 1\n"})
    run(repo)
    (tree(repo, "suite") / "tests/test_core.py").write_text("def test_f(): pass\n")

    run(repo)

    assert BASE["tests/test_core.py"] == text(repo, "suite", "tests/test_core.py")


def test_trees_know_the_tags(repo: GitRepo) -> None:
    """
    A build that takes its version from the last tag works in a lane.
    """
    repo.commit({"src/pkg/core.py": "x = 1\n"})
    run(repo)

    described = repo.git("-C", str(tree(repo, "suite")), "describe", "--tags", "--dirty")

    assert described.startswith("v1.2.3-")
    assert not described.endswith("-dirty")


def test_the_working_copy_can_be_judged(repo: GitRepo) -> None:
    repo.commit({"src/pkg/core.py": "x = 1\n"})
    repo.write({"src/pkg/core.py": "x = 2\n", "src/pkg/new.py": "y = 1\n"})

    made = run(repo, worktree=True)

    assert made["head"].startswith("worktree:")
    assert text(repo, "suite", "src/pkg/core.py") == "x = 2\n"
    assert text(repo, "suite", "src/pkg/new.py") == "y = 1\n"


def test_a_shallow_clone_that_holds_both_commits_will_do(repo: GitRepo, tmp_path: Path) -> None:
    repo.commit({"src/pkg/core.py": "x = 1\n"})
    clone = tmp_path / "shallow"
    repo.git("clone", "--quiet", "--depth=2", "--branch=patch", f"file://{repo.root}", str(clone))

    made = prepare(clone, Request(base="HEAD~1"), {}).run

    assert made["patch"] == "agent"
    assert (clone / ".gate/trees/suite/src/pkg/core.py").read_text() == "x = 1\n"


def test_a_linked_worktree_will_do(repo: GitRepo, tmp_path: Path) -> None:
    repo.commit({"src/pkg/core.py": "x = 1\n"})
    repo.git("worktree", "add", "--quiet", "--detach", str(tmp_path / "linked"), "patch")

    prepare(tmp_path / "linked", Request(base="main"), {})

    assert (tmp_path / "linked/.gate/trees/suite/src/pkg/core.py").read_text() == "x = 1\n"


def test_says_what_was_left_out_and_what_differs(repo: GitRepo) -> None:
    repo.write({"noxfile.py": "# mine\n"})

    notes = "\n".join(prepare(repo.root, Request(base="main"), {}).notes)

    assert "1 uncommitted file was not judged" in notes
    assert "the patch is empty" in notes
    assert "noxfile.py here is not base's" in notes


def test_sessions_that_stand_beside_the_noxfile_are_machinery_too(repo: GitRepo) -> None:
    repo.git("checkout", "--quiet", "main")
    repo.commit(
        {"ci/gate_sessions.py": 'KIT = ("oraclekeep==0.0.9",)\n', "noxfile.py": "import gate_sessions\n"}
    )
    repo.write({"ci/gate_sessions.py": "# mine\n"})

    notes = "\n".join(prepare(repo.root, Request(base="main"), {}).notes)

    assert "ci/gate_sessions.py here is not base's; CI runs base's" in notes
    assert "CI runs base's, 0.0.9" in notes


def test_a_repository_without_a_policy_tries_heads(repo: GitRepo, make_repo: Callable[..., GitRepo]) -> None:
    fresh = make_repo("fresh")
    fresh.commit({name: data for name, data in BASE.items() if not name.startswith("oracle/")})
    fresh.git("checkout", "--quiet", "-b", "patch")
    fresh.commit({name: data for name, data in BASE.items() if name.startswith("oracle/")})

    made = run(fresh)

    assert made["adoption"] is True
    assert made["lanes"]["properties"]["empty_ok"] is False
    assert BASE["oracle/properties/test_law.py"] == text(fresh, "properties", "oracle/properties/test_law.py")


def test_policy_lies_beside_the_trees_as_base_has_it(repo: GitRepo) -> None:
    repo.commit({"oracle/weights.json": '{"assert_removed": 0}\n'})

    run(repo)

    assert (repo.root / ".gate/policy/oracle/weights.json").read_text() == "{}\n"
    assert (repo.root / ".gate/policy/inventory.json").exists()
    assert (repo.root / ".gate/kit/oraclekeep_lanekit/__main__.py").exists()


@pytest.mark.parametrize(
    ("wishes", "says"),
    [
        ({"worktree": True, "head": "patch"}, "leave out --head"),
        ({"today": "tomorrow"}, "YYYY-MM-DD"),
    ],
)
def test_wishes_that_contradict_are_refused(repo: GitRepo, wishes: dict[str, Any], says: str) -> None:
    with pytest.raises(UsageError, match=says):
        run(repo, **wishes)


def test_base_tests_call_a_renamed_function_by_its_new_name(repo: GitRepo) -> None:
    """
    A patch that only renames turns no base test red; what the test checks is still base's.
    """
    repo.git("checkout", "--quiet", "main")
    repo.commit(
        {
            "src/pkg/core.py": "def f(x):\n    return x + 1\n",
            "tests/test_core.py": "from pkg.core import f\n\ndef test_f():\n    assert f(1) == 2\n",
        }
    )
    repo.git("checkout", "--quiet", "-B", "patch")
    repo.commit(
        {
            "src/pkg/core.py": "def successor(x):\n    return x + 1\n",
            "tests/test_core.py": "from pkg.core import successor\n\ndef test_f():\n    successor(1)\n",
        }
    )

    run(repo)

    assert text(repo, "characterization", "tests/test_core.py") == (
        "from pkg.core import successor as f\n\ndef test_f():\n    assert f(1) == 2\n"
    )


def test_an_announced_fixture_is_what_the_inventory_expects(repo: GitRepo) -> None:
    old, new = b"[1]\n", b"[1, 2]\n"
    lock, digest = (hashlib.sha256(data).hexdigest() for data in (old, new))
    repo.git("checkout", "--quiet", "main")
    repo.commit(
        {
            "data/in.json": old,
            "invariants/fixture.lock.json": json.dumps({"data/in.json": lock}),
            "invariants/inventory.yaml": (
                "version: 1\nproperties:\n  - {id: total, module: pkg.core, fn: f, seed: 1, note: n,"
                " fixture: data/in.json, checks: [never_raises]}\nfreezes:\n"
            ),
            "oracle/intent.json": json.dumps(
                {"fixture_changes": [{"path": "data/in.json", "digest": digest, "reason": "a second sample"}]}
            ),
        }
    )
    repo.git("checkout", "--quiet", "-B", "patch")
    repo.commit({"data/in.json": new, "src/pkg/core.py": "def f(x=0):\n    return 2\n"})

    run(repo)

    plan = json.loads((repo.root / ".gate/policy/inventory.json").read_text())
    assert text(repo, "inventory", "data/in.json") == new.decode()
    assert [one["sha256"] for one in plan["properties"]] == [digest]


def test_frozen_bytes_that_nobody_announced_stay_out_of_bases_lanes(repo: GitRepo) -> None:
    lock = hashlib.sha256(b"[1]\n").hexdigest()
    repo.git("checkout", "--quiet", "main")
    repo.commit({"data/in.json": "[1]\n", "invariants/fixture.lock.json": json.dumps({"data/in.json": lock})})
    repo.git("checkout", "--quiet", "-B", "patch")
    repo.commit({"data/in.json": "[]\n", "src/pkg/core.py": "x = 1\n"})

    run(repo)

    assert text(repo, "suite", "data/in.json") == "[]\n"
    for lane in ("properties", "inventory", "characterization"):
        assert text(repo, lane, "data/in.json") == "[1]\n"
