"""
The whole gate on the demo's repository: real Git, real Nox, real environments.
"""

from __future__ import annotations

import hashlib
import json
import re
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from oraclekeep.demo.__main__ import judge
from oraclekeep.demo.build import build
from oraclekeep.demo.patches import PATCHES, DemoPatch, Edit
from oraclekeep.git import Repo

from .program import run as program
from .scores import checked

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.e2e

KILLER = DemoPatch(
    name="lane-killed",
    story="a test kills the process that keeps the record",
    decision="reject",
    rows=("protocol-error",),
    edits=(
        Edit(
            "tests/test_new.py",
            "",
            "import os\nimport signal\n\n\ndef test_kill():\n    os.kill(os.getppid(), signal.SIGKILL)\n",
        ),
    ),
)
BAD_POLICY = DemoPatch(
    name="bad-policy",
    story="weights that are no weights",
    decision="",
    rows=(),
    edits=(Edit("oracle/weights.json", '"assert_removed": 1', '"assert_removd": 1'),),
)
DEAD = DemoPatch(
    name="dead-property",
    story="two properties and a fault that only one of them notices",
    decision="allow",
    rows=("property-added", "dead-property"),
    edits=(
        Edit(
            "oracle/properties/test_label_properties.py",
            "",
            "from parcels.labels import check_digit\n\n\n"
            "def test_digits_check():\n    assert check_digit('123') != check_digit('132')\n\n\n"
            "def test_one_digit():\n    assert len(check_digit('123')) == 1\n",
        ),
        Edit(
            "oracle/known_fail/all_digits_count_alike.py",
            "",
            '"""\nturns-red: oracle/properties/test_label_properties.py::test_digits_check\n'
            "turns-red: oracle/properties/test_label_properties.py::test_one_digit\n"
            'replaces: parcels.labels.check_digit\n"""\n\n\n'
            "def check_digit(digits):\n    return str(-sum(map(int, digits)) % 10)\n",
        ),
    ),
)
KNOWN = {patch.name: patch for patch in (*PATCHES, KILLER, DEAD)}


@pytest.fixture(scope="module")
def example(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """
    The demo's repository; its environments are made once for all tests here.
    """
    folder = tmp_path_factory.mktemp("example")
    build(folder, (*PATCHES, KILLER, DEAD, BAD_POLICY))
    return folder


def nox(folder: Path, *args: str) -> subprocess.CompletedProcess[bytes]:
    argv = [sys.executable, "-m", "nox", *args]
    return subprocess.run(argv, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)


def git_bytes(folder: Path) -> dict[str, str]:
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted((folder / ".git").rglob("*"))
        if path.is_file()
    }


def verdict(folder: Path) -> dict[str, Any]:
    return checked(json.loads((folder / ".gate/verdict.json").read_text()))


@pytest.mark.parametrize("name", ["conftest-turns-green", "lane-killed"])
def test_the_gate_gives_the_answer_that_is_due(example: Path, name: str) -> None:
    """
    Decision, rows and exit code, whatever becomes of a lane; and the user's repository stays as it was.
    """
    before = git_bytes(example)

    answer = judge(example, KNOWN[name])

    assert answer.fits(KNOWN[name]), answer.output
    assert before == git_bytes(example)


@pytest.mark.habits
def test_a_dead_property_earns_nothing(example: Path) -> None:
    """
    The gate plants the faults of an owner patch that adds properties.
    """
    answer = judge(example, DEAD)
    found = verdict(example)
    rows = {one["test"].rpartition("::")[2]: one["rule"] for one in found["findings"] if one.get("test")}

    assert answer.fits(DEAD), answer.output
    assert (rows["test_digits_check"], rows["test_one_digit"]) == ("property-added", "dead-property")
    assert (found["credit"], found["score"]) == (2, 2)


def test_a_policy_that_cannot_be_read_is_no_answer(example: Path) -> None:
    done = nox(example, "-s", "gate", "--", "--base", "bad-policy", "--head", "honest-feature")

    assert done.returncode == 2, done.stdout.decode()
    assert b"oracle/weights.json:2" in done.stdout
    assert not (example / ".gate/verdict.json").exists(), "the last verdict must not stand in for this one"


@pytest.mark.habits
def test_a_kit_that_cannot_be_installed_is_no_answer(example: Path) -> None:
    """
    Nox itself would end with 1, which says that somebody looked and refused.
    """
    noxfile = (example / "noxfile.py").read_text()
    broken = example / ".nox-broken.py"
    broken.write_text(re.sub(r"^KIT = .*$", 'KIT = ("./no-such-kit",)', noxfile, flags=re.MULTILINE))

    wishes = ("--", "--base", "main", "--head", "honest-feature")
    done = nox(example, "--noxfile", broken.name, "-s", "gate", *wishes)
    broken.unlink()  # the example serves other tests

    assert done.returncode == 2, done.stdout.decode()
    assert b"no-such-kit failed" in done.stdout


@pytest.mark.habits
def test_a_lane_by_hand_is_red_where_the_patch_is(example: Path) -> None:
    wishes = ("--", "--base", "main", "--head", "assertion-dropped")

    assert nox(example, "-s", "suite", *wishes).returncode == 0
    assert nox(example, "-s", "characterization", *wishes).returncode != 0


@pytest.mark.habits
def test_a_second_runner_joins_the_run(example: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """
    A witness keeps the nonces that it was handed, and the verdict knows whose word it is.
    """
    wishes = ("--", "--base", "main", "--head", "honest-feature")
    answer = judge(example, KNOWN["honest-feature"])
    monkeypatch.setenv("ORACLEKEEP_RUNNER", "the-other-machine")

    witness = nox(example, "-s", "witness", *wishes)
    judged = nox(example, "-s", "verdict", *wishes)

    assert answer.fits(KNOWN["honest-feature"]), answer.output
    assert witness.returncode == 0, witness.stdout.decode()
    assert judged.returncode == 0, judged.stdout.decode()
    evidence = json.loads((example / ".gate/evidence/witness.json").read_text())
    assert evidence["runner"] == "the-other-machine"
    assert verdict(example)["lanes"]["witness"]["class"] == "green"


@pytest.mark.habits
def test_a_candidate_is_queued_then_promoted_and_then_votes(example: Path) -> None:
    """
    An agent's patch carries it without a vote, an owner's commit takes it over, a later patch fails by it.
    """
    repo = Repo(example)

    def commit(message: str, *paths: str) -> None:
        repo.git("add", "--all", "--", *(paths or ("src", "invariants")))
        repo.git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "--quiet", "-m", message)

    repo.git("checkout", "--quiet", "-B", "queue", "honest-feature")
    proposed = program(example, "--base", "main", task="propose")
    commit("queue candidates")
    carried = nox(example, "-s", "gate", "--", "--base", "main", "--head", "queue")
    queued = verdict(example)
    repo.git("checkout", "--quiet", "-B", "taken-over", "queue")
    promoted = program(example, "days_to_raises_only", "--note", "No other error.", task="promote")
    assert promoted.code == 0, promoted.err
    commit("promote one", "invariants", "oracle")
    owners = nox(example, "-s", "gate", "--", "--base", "queue", "--head", "taken-over")
    taken = verdict(example)
    repo.git("checkout", "--quiet", "-B", "later", "taken-over")
    zones = example / "src/parcels/zones.py"
    zones.write_text(zones.read_text().replace("raise ValueError(", "raise LookupError("))
    commit("another error")
    broken = nox(example, "-s", "gate", "--", "--base", "taken-over", "--head", "later")
    last = verdict(example)
    repo.git("checkout", "--quiet", "main")

    assert (proposed.code, promoted.code) == (0, 0), proposed.err + promoted.err
    assert (carried.returncode, owners.returncode, broken.returncode) == (0, 0, 1), broken.stdout.decode()
    assert (queued["score"], queued["patch"], taken["score"], taken["patch"]) == (0, "agent", 2, "owner")
    assert taken["lanes"]["proposed"]["class"] == "green"
    assert ("invariant-miss", "days_to_raises_only") in {
        (one["rule"], one["test"]) for one in last["findings"] if one["gate"] == "reject"
    }
