"""
The CI templates, run: their own jobs, steps, artifacts and conditions, on an allowed and on a rejected patch.

Jobs run in clones of their own on this machine.  Only the environments are left out: see `ci_bench.NOXW`.
"""

from __future__ import annotations

import datetime as dt
import json
from typing import TYPE_CHECKING

import pytest

from oraclekeep.lanekit.fixtures import file_digest

from .ci_bench import NOXW, Bench
from .ci_systems import QUEUES, SCHEDULES, SPLIT, SYSTEMS
from .scores import checked

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.templates

LANES = ("suite", "properties", "inventory", "characterization")
ORDERS = "[[1], [2], [3, 4]]\n"
TOTALS = {"id": "totals", "module": "shop", "fn": "total", "seed": 1, "checks": ["never_raises"]}
TOTALS["fixture"] = "tests/fixtures/a.json"
BASE = {
    "pyproject.toml": '[project]\nname = "shop"\n[tool.pytest.ini_options]\npythonpath = ["src"]\n',
    "src/shop.py": "def total(items):\n    return sum(items)\n",
    "tests/test_shop.py": "from shop import total\n\n\ndef test_total():\n    assert total([1]) == 1\n"
    "    assert total([]) == 0\n",
    "oracle/gate.yaml": "source: [src]\ntests: [tests]\n",
    "invariants/inventory.yaml": json.dumps({"version": 1, "properties": [TOTALS]}),
    "invariants/fixture.lock.json": json.dumps({"tests/fixtures/a.json": file_digest(ORDERS.encode())}),
    "tests/fixtures/a.json": ORDERS,
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
    "wrong": {"src/shop.py": "def total(items):\n    return sum(items) + 1 // (len(items) - 2)\n"},
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
    return checked(json.loads(place.read_text()))


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


@pytest.mark.parametrize("system", SPLIT)
def test_a_lane_whose_report_never_arrives_is_a_rejection(origin, tmp_path, system: str) -> None:
    made = bench(origin, tmp_path, "allowed")
    made.lost = ("suite",)

    assert made.run(SYSTEMS[system](made)) == 1
    findings = {(one["rule"], one["path"]) for one in verdict(made)["findings"]}
    assert ("protocol-error", ".gate/junit/suite.xml") in findings


@pytest.mark.parametrize("system", SPLIT)
def test_a_cancelled_lane_ends_closed(origin, tmp_path, system: str) -> None:
    """
    The verdict's job says so where it is run, and is missing where it is not.
    """
    made = bench(origin, tmp_path, "allowed")
    made.cancelled = "suite"

    assert made.run(SYSTEMS[system](made)) == 1
    said = [json.loads(path.read_text()) for path in made.folder.glob("work/*/.gate/verdict.json")]
    assert {each["decision"] for each in said} <= {"reject"}


@pytest.mark.parametrize("system", SPLIT)
def test_jobs_that_are_run_again_say_the_same(origin, tmp_path, system: str) -> None:
    """
    All but the first, which has fixed commits and day: what they hand on takes the place of the old.
    """
    made = bench(origin, tmp_path, "allowed")
    assert made.run(SYSTEMS[system](made)) == 0, "\n".join(made.log)
    first = verdict(made)
    again = made.run(job for job in SYSTEMS[system](made) if "prepare" not in job.name)
    second = verdict(made)

    assert again == 0, "\n".join(made.log)
    for key in ("base", "head", "decision", "findings"):
        assert second[key] == first[key]
    assert {name: lane["class"] for name, lane in second["lanes"].items()} == {
        name: lane["class"] for name, lane in first["lanes"].items()
    }


@pytest.mark.parametrize("system", SPLIT)
def test_a_witness_that_is_required_and_absent_ends_closed(origin, tmp_path, system: str) -> None:
    policy = {"oracle/gate.yaml": BASE["oracle/gate.yaml"] + "witness: required\n"}
    required = origin.commit(policy)
    origin.git("checkout", "--quiet", "-b", "later", "main")
    origin.commit(PATCHES["allowed"])
    origin.git("checkout", "--quiet", "main")
    made = bench(origin, tmp_path, "later")
    made.lost = ("witness",)

    assert made.base == required
    assert made.run(SYSTEMS[system](made)) == 1
    assert "witness" in " ".join(one["message"] for one in verdict(made)["findings"])


def test_woodpeckers_witness_is_red_where_a_property_is(origin, tmp_path) -> None:
    """
    It has no verdict to hand its evidence to; its own status holds the patch.
    """
    made = bench(origin, tmp_path, "wrong")
    witness, gate = SYSTEMS["woodpecker"](made)

    assert made.run([witness]) == 1, "\n".join(made.log)
    assert made.run([witness, gate]) == 1


@pytest.mark.parametrize("system", QUEUES)
@pytest.mark.parametrize("patch", ["allowed", "weaker"])
def test_an_entry_of_a_queue_is_judged_by_what_stands_before_it(
    origin, tmp_path, system: str, patch: str
) -> None:
    """
    The entry before it is an owner's; taken together, the two would be a mixed patch.
    """
    origin.git("checkout", "--quiet", "-b", "queue", "main")
    before = origin.commit({"oracle/properties/test_q.py": BASE["oracle/properties/test_p.py"]})
    origin.git("merge", "--quiet", "--no-ff", "--no-edit", patch)
    made = bench(origin, tmp_path, "queue")
    made.event, made.base = "merge_group", before
    origin.git("checkout", "--quiet", "main")
    ended = made.run(SYSTEMS[system](made))
    said = verdict(made)

    assert ended == (patch == "weaker"), "\n".join(made.log)
    assert (said["base"], said["patch"]) == (before, "agent")
    assert "write-set" not in {one["rule"] for one in said["findings"]}


def test_in_a_forks_own_project_nothing_is_judged(origin, tmp_path) -> None:
    """
    GitLab: settings and branches are the fork's there.
    """
    made = bench(origin, tmp_path, "allowed")
    made.variables = {"CI_PROJECT_ID": "2"}

    assert made.run(SYSTEMS["gitlab"](made)) == 1
    assert "run this pipeline in the target's" in "\n".join(made.log)


@pytest.mark.parametrize("system", SCHEDULES)
@pytest.mark.parametrize(("days", "code"), [(9, 1), (40, 0)])
def test_a_schedule_tells_before_an_exception_ends(
    origin, tmp_path, system: str, days: int, code: int
) -> None:
    ends = dt.datetime.now(dt.UTC).date() + dt.timedelta(days=days)
    row = {"nodeid": "tests/test_shop.py::test_total", "issue": "#1", "reason": "x", "expires": str(ends)}
    origin.commit({"oracle/quarantine.json": json.dumps({"items": [row]})})
    made = bench(origin, tmp_path, "main")

    assert made.run(SCHEDULES[system](made)) == code, "\n".join(made.log)
    assert ("soon    oracle/quarantine.json" in "\n".join(made.log)) is bool(code)


@pytest.mark.parametrize("system", SYSTEMS)
def test_where_nothing_could_be_prepared_the_last_job_is_not_green(origin, tmp_path, system: str) -> None:
    """
    A base that is not in the clone, say: no job makes up for it.
    """
    made = bench(origin, tmp_path, "allowed")
    (origin.root / "noxw").write_text("#!/bin/sh\nexit 2\n")
    made.base = origin.commit(message="a gate that cannot run")

    assert made.run(SYSTEMS[system](made)) == 1
