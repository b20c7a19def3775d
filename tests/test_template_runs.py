"""
The CI templates, run: their own jobs, steps, artifacts and conditions, on an allowed and on a rejected patch.

Jobs run in clones of their own on this machine.  Only the environments are left out: see `ci_bench.NOXW`.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from .ci_bench import NOXW, Bench
from .ci_systems import SYSTEMS

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.templates

LANES = ("suite", "properties", "characterization")
BASE = {
    "pyproject.toml": '[project]\nname = "shop"\n[tool.pytest.ini_options]\npythonpath = ["src"]\n',
    "src/shop.py": "def total(items):\n    return sum(items)\n",
    "tests/test_shop.py": "from shop import total\n\n\ndef test_total():\n    assert total([1]) == 1\n"
    "    assert total([]) == 0\n",
    "oracle/gate.yaml": "source: [src]\ntests: [tests]\n",
    "oracle/properties/test_p.py": "from shop import total\n\n\ndef test_p():\n    assert total([2]) == 2\n",
    ".gitignore": "/.gate/\n__pycache__/\n",
}
TESTS = BASE["tests/test_shop.py"]
PATCHES = {
    "allowed": {
        "src/shop.py": "def total(items):\n    return sum(list(items))\n",
        "tests/test_shop.py": f"{TESTS}\n\ndef test_more():\n    assert total([1, 2]) == 3\n",
    },
    "weaker": {"tests/test_shop.py": TESTS.replace("    assert total([]) == 0\n", "")},
}


@pytest.fixture
def origin(make_repo):
    """
    A repository with the gate on main, and a branch for each patch.
    """
    repo = make_repo("origin")
    repo.write({**BASE, "noxw": NOXW})
    (repo.root / "noxw").chmod(0o755)
    repo.commit()
    for name, files in PATCHES.items():
        repo.git("checkout", "--quiet", "-b", name, "main")
        repo.commit(files)
    repo.git("checkout", "--quiet", "main")
    return repo


def bench(origin, tmp_path: Path, patch: str) -> Bench:
    folder = tmp_path / patch
    (folder / "bin").mkdir(parents=True)
    (folder / "bin/apt-get").write_text("#!/bin/sh\n")
    (folder / "bin/apt-get").chmod(0o755)
    return Bench(origin.root, folder, origin.git("rev-parse", "main"), origin.git("rev-parse", patch))


def verdict(found: Bench) -> dict:
    """
    Return what the last job wrote.
    """
    place = next(path for path in found.folder.glob("work/*/.gate/verdict.json"))
    return json.loads(place.read_text())


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize(("patch", "row"), [("allowed", "oracle-added"), ("weaker", "oracle-removed")])
def test_a_template_ends_with_the_verdict(origin, tmp_path, system: str, patch: str, row: str) -> None:
    made = bench(origin, tmp_path, patch)
    ended = made.run(SYSTEMS[system](made))
    said = verdict(made)

    assert ended == (patch == "weaker"), "\n".join(made.log)
    assert said["decision"] == ("reject" if ended else "allow")
    assert (said["base"], said["head"]) == (made.base, made.head)
    assert {lane["class"] for name, lane in said["lanes"].items() if name in LANES} == {"green"}
    assert row in {one["rule"] for one in said["findings"]}
    assert "protocol-error" not in {one["rule"] for one in said["findings"]}


@pytest.mark.parametrize("system", [name for name in SYSTEMS if name != "woodpecker"])
def test_a_lane_whose_report_never_arrives_is_a_rejection(origin, tmp_path, system: str) -> None:
    made = bench(origin, tmp_path, "allowed")
    made.lost = ("suite",)

    assert made.run(SYSTEMS[system](made)) == 1
    findings = {(one["rule"], one["path"]) for one in verdict(made)["findings"]}
    assert ("protocol-error", ".gate/junit/suite.xml") in findings


@pytest.mark.parametrize("system", SYSTEMS)
def test_where_nothing_could_be_prepared_the_last_job_is_not_green(origin, tmp_path, system: str) -> None:
    """
    A base that is not in the clone, say: no job makes up for it.
    """
    made = bench(origin, tmp_path, "allowed")
    (origin.root / "noxw").write_text("#!/bin/sh\nexit 2\n")
    made.base = origin.commit(message="a gate that cannot run")

    assert made.run(SYSTEMS[system](made)) == 1
