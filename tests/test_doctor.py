"""
`doctor` through the real program: a repository that `init` has adopted is well, and each hole is named.
"""

from __future__ import annotations

import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest

import oraclekeep
from oraclekeep.codeowners import lines_of, owners_of

from .program import Answer
from .program import run as program

if TYPE_CHECKING:
    from pathlib import Path

    from tests.conftest import GitRepo

PROPERTY = "from pkg import f\n\n\ndef test_grows():\n    assert f(1) > 1\n"
FAULT = 'TURNS_RED = ["oracle/properties/test_p.py::test_grows"]\n\n\ndef f(x):\n    return x\n'
BASE = {
    "pyproject.toml": '[build-system]\nrequires = []\n[project]\nname = "pkg"\nversion = "1"\n',
    "src/pkg/__init__.py": "def f(x):\n    return x + 1\n",
    "tests/test_f.py": "from pkg import f\n\n\ndef test_f():\n    assert f(1) == 2\n",
    "tests/fixtures/a.json": "[1]\n",
}
ROW = '{"items": [{"nodeid": "tests/test_f.py::test_f", "issue": "#1", "expires": "%s", "reason": "r"}]}\n'


@pytest.fixture(scope="module")
def shelf(tmp_path_factory) -> Path:
    return tmp_path_factory.mktemp("adopted") / "repo"


@pytest.fixture
def repo(make_repo, shelf: Path) -> GitRepo:
    """
    A repository as `init` leaves it; the first one is copied for the others.
    """
    made = make_repo()
    if shelf.exists():
        shutil.copytree(shelf, made.root, dirs_exist_ok=True)
        return made
    made.commit(BASE)
    kit = oraclekeep.__version__
    done = program(made.root, "--kit", kit, "--ci", "github", "--owner", "@me", task="init")
    assert done.code == 0, done.err
    made.commit()
    shutil.copytree(made.root, shelf)
    return made


def doctor(repo: GitRepo, *words: str) -> Answer:
    return program(repo.root, "--json", "--today", "2026-01-01", *words, task="doctor")


def levels(answer: Answer) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for item in answer.document["items"]:
        found.setdefault(item["level"], []).append(f"{item['about']}: {item['message']}")
    return found


def test_what_init_leaves_has_no_hole(repo) -> None:
    """
    All that it lacks is a property.
    """
    answer = doctor(repo)

    assert answer.code == 0
    assert answer.document["schema"] == "oraclekeep/doctor/1"
    assert {item["about"] for item in answer.document["items"] if item["level"] == "weak"} == {"lanes"}


def test_with_a_property_and_a_fault_it_says_that_nobody_planted_it(repo) -> None:
    repo.commit({"oracle/properties/test_p.py": PROPERTY})
    assert "liveness: oracle/known_fail/ holds no fault" in str(levels(doctor(repo)))
    repo.commit({"oracle/known_fail/same.py": FAULT})
    assert "liveness: nobody has planted" in str(levels(doctor(repo)))
    report = '{"properties": {"dead": ["p::a"], "unproven": ["p::b"], "alive": []}}'
    repo.write({".gate/evidence/liveness.json": report})
    found = levels(doctor(repo))

    assert "liveness: no fault turns p::a red" in found["bad"]
    assert "liveness: no fault names p::b" in found["weak"]


HOLES = [
    ({".github/CODEOWNERS": None}, "bad", "owners: no CODEOWNERS"),
    (
        {".github/CODEOWNERS": "/oracle/ @me\n"},
        "bad",
        "owners: nobody owns .github/CODEOWNERS, .github/workflows",
    ),
    ({".github/CODEOWNERS": "* @me\n/oracle/\n"}, "bad", "owners: nobody owns oracle/"),
    ({"oracle/gate.yaml": "owners: signed\n"}, "bad", "owners: `owners: signed` without"),
    ({"tests/fixtures/b.json": "2"}, "bad", "fixtures: tests/fixtures: its lock is stale"),
    ({"oracle/fixtures.lock": None}, "bad", "fixtures: tests/fixtures: its lock is missing"),
    ({"tests/more/data/b.json": "2"}, "weak", "fixtures: tests/more/data holds 1 data files"),
    ({"tests/test_f.py": None}, "bad", "lanes: the suite has no test file"),
    ({"oracle/gate.yaml": "mode: observe\n"}, "weak", "lanes: `mode: observe`"),
    ({"oracle/gate.yaml": "moed: observe\n"}, "bad", "policy: oracle/gate.yaml:1: unknown key 'moed'"),
    ({"oracle/quarantine.json": ROW % "2025-12-01"}, "weak", "is past its date"),
    ({"oracle/quarantine.json": ROW % "2026-01-10"}, "weak", "ends on 2026-01-10"),
    ({"oracle/intent.json": '{"allow_behavior_change": ["src/"]}'}, "weak", "lets all of src/ change"),
    ({"noxfile.py": None}, "bad", "machinery: no noxfile.py"),
    ({"noxfile.py": "import nox\n"}, "bad", "machinery: noxfile.py has no session gate, verdict"),
    ({"noxfile.py": "def (\n"}, "bad", "machinery: noxfile.py:1: this noxfile does not parse"),
    ({".github/workflows/gate.yml": None}, "bad", "machinery: no CI file runs the gate"),
    ({".gate/x": "1"}, "bad", "clone: .gate/x: a run's own files are committed"),
    ({".gitignore": "/.gate/\n/.nox/\n"}, "weak", "clone: Git does not ignore .noxw/"),
]


@pytest.mark.parametrize(("files", "level", "said"), HOLES, ids=[said for _, _, said in HOLES])
def test_each_hole_is_named(repo, files, level: str, said: str) -> None:
    repo.write(files)
    repo.git("add", "--all", "--force", *[path for path, text in files.items() if text is not None])
    repo.commit()
    answer = doctor(repo)

    assert any(said in line for line in levels(answer)[level])
    assert answer.code == (1 if level == "bad" else 0)


def test_a_row_that_ends_later_is_no_ones_worry(repo) -> None:
    repo.commit({"oracle/quarantine.json": ROW % "2026-03-01"})

    assert "test_f" not in str(levels(doctor(repo)))
    assert "ends on 2026-03-01" in str(levels(doctor(repo, "--within", "90")))


def test_a_repository_without_the_gate_is_told_so(make_repo) -> None:
    made = make_repo()
    made.commit(BASE)
    answer = doctor(made)

    assert answer.code == 1
    assert "the last commit has no oracle/" in answer.out


def test_a_shallow_clone_is_a_hole(repo, tmp_path) -> None:
    subprocess.run(
        ("git", "clone", "--quiet", "--depth", "1", repo.root.as_uri(), str(tmp_path / "clone")), check=True
    )
    answer = program(tmp_path / "clone", task="doctor")

    assert answer.code == 1
    assert answer.out.startswith("bad   clone: the clone is shallow")
    assert "git fetch --unshallow" in answer.out


@pytest.mark.parametrize(
    ("text", "path", "owners"),
    [
        ("* @a", "x/y.py", ("@a",)),
        ("/oracle/ @a", "oracle/p/x.py", ("@a",)),
        ("/oracle/ @a", "oracle", ()),
        ("/oracle @a", "oracle/x", ("@a",)),
        ("oracle/ @a", "deep/oracle/x", ("@a",)),
        ("/ci/* @a", "ci/x/y.yml", ()),
        ("/ci/* @a", "ci/y.yml", ("@a",)),
        ("/ci/** @a", "ci/x/y.yml", ("@a",)),
        ("**/ci/ @a", "x/ci/y", ("@a",)),
        ("*.yml @a @b", "x/y.yml", ("@a", "@b")),
        ("* @a\n/docs/", "docs/x", ()),
        ("* @a # all\n# /x @b", "x", ("@a",)),
        ("[Gate] @g\n/oracle/\n/ci/ @c", "oracle/x", ("@g",)),
        ("^[Gate][2] @g\n/oracle/", "oracle/x", ("@g",)),
        ("/a\\ b/ @a", "a b/c", ("@a",)),
        ("noxfile.py @a", "noxfile.pyc", ()),
    ],
)
def test_who_owns_a_path_is_read_as_forges_do(text: str, path: str, owners: tuple[str, ...]) -> None:
    assert owners == owners_of(path, tuple(lines_of(text)))
