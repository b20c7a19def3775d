"""
The commands `verdict` and `outcomes`, through Invoke as it parses them.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from invoke.collection import Collection
from invoke.program import Program

import oraclekeep
from oraclekeep.commands.judging import TASKS
from oraclekeep.errors import MissingEvidence, UsageError
from oraclekeep.judging import judge_run
from oraclekeep.lanes import prove
from oraclekeep.model import Lane, Outcome, TestResult
from oraclekeep.prepare import Request, prepare
from oraclekeep.verdict import Case, judge

from .gate_files import evidence, row, write_lane, write_run
from .scores import checked, score

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from conftest import GitRepo

GREEN = "<testsuite><testcase classname='t' name='a' time='0.5'/></testsuite>"
RED = "<testsuite><testcase classname='t' name='b'><failure message='no'/></testcase></testsuite>"
BAD = "<testsuite>"


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, text in {
        "green.xml": GREEN,
        "red.xml": RED,
        "bad.xml": BAD,
        "empty.xml": "<testsuites/>",
    }.items():
        (tmp_path / name).write_text(text)
    return tmp_path


def run(*argv: str) -> int:
    """
    Return the exit code that Invoke's own program ends with.
    """
    program = Program(namespace=Collection(*TASKS), name="oraclekeep")
    try:
        program.run(["oraclekeep", *argv])
    except SystemExit as error:
        return int(error.code or 0)
    return 0


def scored(place: Path, **changes: Any) -> None:
    (place / ".gate").mkdir(exist_ok=True)
    (place / ".gate" / "score.json").write_text(json.dumps(score(**changes)))


@pytest.mark.parametrize(
    ("files", "code"),
    [
        (["green.xml"], 0),
        (["red.xml"], 1),
        (["green.xml", "red.xml"], 1),
        (["empty.xml"], 1),
        (["bad.xml"], 2),
        (["red.xml", "bad.xml", "green.xml"], 2),
        (["g*.xml"], 0),
        (["*.xml"], 2),
    ],
)
def test_outcomes_says_what_it_reads(
    place: Path, capsys: pytest.CaptureFixture[str], files: Sequence[str], code: int
) -> None:
    assert run("outcomes", *files) == code
    said = capsys.readouterr().out

    assert run("outcomes", "--json", *files) == code
    assert str(place) in said
    assert ("problem" in said) == (code == 2 or files == ["empty.xml"])


def test_outcomes_in_json_has_a_schema_and_every_test(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run("outcomes", str(place / "green.xml"), str(place / "red.xml"), "--json")
    document = json.loads(capsys.readouterr().out)

    assert document["schema"] == "oraclekeep/outcomes/1"
    assert document["exit"] == 1
    assert [test["nodeid"] for file in document["files"] for test in file["tests"]] == ["t::a", "t::b"]


@pytest.mark.usefixtures("place")
def test_a_file_that_is_not_there_is_not_a_pass() -> None:
    with pytest.raises(MissingEvidence):
        run("outcomes", "nowhere*.xml")
    with pytest.raises(UsageError):
        run("outcomes")


def test_plain_invoke_takes_several_files_too(place: Path) -> None:
    (place / "tasks.py").write_text(
        "from invoke import Collection\nfrom oraclekeep.commands.judging import TASKS\n"
        "namespace = Collection(*TASKS)\n"
    )
    command = [sys.executable, "-m", "invoke", "outcomes", "green.xml", "red.xml", "--json"]
    env = {**os.environ, "PYTHONPATH": str(Path(oraclekeep.__file__).parents[1])}
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)

    assert done.returncode == 1, done.stderr
    assert [Path(file["file"]).name for file in json.loads(done.stdout)["files"]] == ["green.xml", "red.xml"]


def test_without_a_score_nothing_is_judged(place: Path) -> None:
    (place / ".gate").mkdir()
    (place / ".gate" / "verdict.json").write_text("stale")
    with pytest.raises(MissingEvidence, match="score"):
        run("verdict", "--junit", "suite=green.xml")

    assert not (place / ".gate" / "verdict.json").exists()


@pytest.mark.parametrize(
    ("given", "code", "state"),
    [
        (["suite=green.xml", "characterization=green.xml"], 0, "ok"),
        (["suite=green.xml"], 1, "undefined"),
        (["suite=red.xml", "characterization=green.xml"], 1, "undefined"),
        (["suite=g*.xml", "suite=red.xml", "characterization=green.xml"], 1, "undefined"),
        (["suite=empty.xml", "characterization=green.xml"], 1, "undefined"),
        (["suite=bad.xml", "characterization=green.xml"], 1, "undefined"),
    ],
)
def test_given_files_are_judged_and_every_report_is_written(
    place: Path, capsys: pytest.CaptureFixture[str], given: list[str], code: int, state: str
) -> None:
    scored(place)

    assert run("verdict", *(word for one in given for word in ("--junit", one))) == code
    assert checked(json.loads((place / ".gate" / "verdict.json").read_bytes()))["state"] == state
    assert sorted(path.suffix for path in (place / ".gate").glob("verdict.*")) == [
        ".html", ".json", ".md", ".sarif", ".xml",
    ]  # fmt: skip
    assert capsys.readouterr().out.startswith(f"oraclekeep: {'reject' if code else 'allow'}")


def test_a_score_of_other_commits_is_not_judged(place: Path) -> None:
    scored(place, head="d" * 40)
    lanes = {"suite": {"nonce": "1", "required": True}}
    run_json = {
        "schema": "oraclekeep/run/1",
        "kit": "0",
        "today": "2024-01-01",
        "base": "b" * 40,
        "head": "c" * 40,
        "policy_tree": "",
        "inventory": "",
        "lanes": lanes,
    }
    (place / ".gate" / "run.json").write_text(json.dumps(run_json))
    with pytest.raises(MissingEvidence, match="different heads"):
        run("verdict")

    scored(place)
    assert run("verdict") == 1
    for broken in ({"lanes": {}}, {"lanes": {"suite": {"nonce": ""}}}, {"policy_tree": None}):
        (place / ".gate" / "run.json").write_text(json.dumps({**run_json, **broken}))
        with pytest.raises(MissingEvidence):
            run("verdict")


@pytest.mark.parametrize("word", ["suite", "=green.xml", "suite=", "other=green.xml"])
def test_a_lane_argument_that_makes_no_sense_is_a_usage_error(place: Path, word: str) -> None:
    scored(place)
    lanes = {"suite": {"nonce": "1", "required": True}}
    ids = {"kit": "0", "today": "2024-01-01", "base": "b" * 40, "head": "c" * 40}
    ids |= {"policy_tree": "", "inventory": ""}
    (place / ".gate" / "run.json").write_text(
        json.dumps({"schema": "oraclekeep/run/1", **ids, "lanes": lanes})
    )
    with pytest.raises(UsageError):
        run("verdict", "--junit", word)


# ------------------------------------------------------------------------------------------- optional lanes


@pytest.mark.parametrize(
    ("changes", "rows"),
    [
        ({}, []),
        ({"nonce": "another run's"}, ["protocol-error"]),
        ({"canaries": [{"nodeid": "x", "outcome": "passed"}]}, ["tainted-lane"]),
        ({"canaries": [{"nodeid": "x", "outcome": "error"}]}, ["tainted-lane"]),
        ({"inventory_sha256": "0" * 64}, ["protocol-error"]),
    ],
)
def test_an_optional_lane_may_be_red_and_not_untrue(
    tmp_path: Path, changes: dict[str, Any], rows: list[str]
) -> None:
    gate = tmp_path / ".gate"
    red = row("adds", "invariant_miss")
    write_run(gate, {"inventory": {"required": False}})
    write_lane(gate, evidence("inventory", red, **changes))
    document = checked(judge_run(gate, tmp_path, ()).document)
    told = [one["rule"] for one in document["findings"] if one["gate"] == "note"]

    assert (document["decision"] == "allow") == (not rows)
    assert [one["rule"] for one in document["findings"] if one["gate"] == "reject"] == rows
    assert told == ["invariant-miss"]
    assert document["lanes"]["inventory"]["class"] == ("red" if not rows else rows[0].removesuffix("-lane"))


@pytest.mark.parametrize(
    ("rows", "canaries", "expected"),
    [
        ([row("adds")], [], ["tainted-lane"]),
        ([row("adds"), row("later", "protocol_error", votes=False)], [], ["tainted-lane"]),
        ([row("adds"), row("clock", "protocol_error")], [], ["protocol-error"]),  # no copy of it could run
        ([row("adds")], [{"nodeid": "a", "outcome": "failed"}], []),
        (
            [row("adds")],
            [{"nodeid": "a", "outcome": "failed"}, {"nodeid": "b", "outcome": "passed"}],
            ["tainted-lane"],
        ),
    ],
)
def test_an_inventory_must_show_that_it_can_turn_red(
    tmp_path: Path, rows: list[dict[str, Any]], canaries: list[dict[str, str]], expected: list[str]
) -> None:
    gate = tmp_path / ".gate"
    write_run(gate, {"inventory": {}})
    write_lane(gate, evidence("inventory", *rows, canaries=canaries))
    document = checked(judge_run(gate, tmp_path, ()).document)

    assert sorted({one["rule"] for one in document["findings"] if one["gate"] == "reject"}) == expected


@pytest.mark.parametrize("number", ["NaN", "-Infinity", "1e999"])
def test_what_json_cannot_hold_does_not_come_into_the_verdict(tmp_path: Path, number: str) -> None:
    """
    A lane's evidence is within reach of the code that it ran, and the verdict repeats some of it.
    """
    gate = tmp_path / ".gate"
    write_run(gate, {"inventory": {}})
    write_lane(gate, evidence("inventory", row("adds"), seconds="PLACE"))
    place = gate / "evidence/inventory.json"
    place.write_text(place.read_text().replace('"PLACE"', number))
    document = checked(judge_run(gate, tmp_path, ()).document)

    assert [one["rule"] for one in document["findings"]] == ["protocol-error"]
    assert "is no number" in document["findings"][0]["message"]


@pytest.mark.parametrize("seconds", [10**400, -1, "3", True])
def test_a_time_that_none_is_decides_nothing(tmp_path: Path, seconds: Any) -> None:
    gate = tmp_path / ".gate"
    write_run(gate, {"inventory": {}})
    write_lane(gate, evidence("inventory", row("adds"), seconds=seconds))
    document = checked(judge_run(gate, tmp_path, ()).document)

    assert document["decision"] == "allow"
    assert json.loads(json.dumps(document["lanes"]["inventory"]["seconds"])) in (None, 1.0)


@pytest.mark.parametrize("required", [True, False])
def test_a_new_test_that_passes_on_base_blocks_where_proof_is_required(required: bool) -> None:  # noqa: FBT001  # a case
    passed = Lane("specimens", "green", (TestResult("t.py::new", Outcome.PASSED),), required=required)
    failed = Lane("specimens", "red", (TestResult("t.py::new", Outcome.FAILED),), required=required)
    suite = Lane("suite", "green", (TestResult("t.py::new", Outcome.PASSED),), required=True)
    unproven, proven = (judge(Case(score=score(), lanes=prove([suite, one]))) for one in (passed, failed))

    assert unproven.allows is not required
    assert unproven.document["counts"] == {"unproven-specimen": 1}
    assert proven.allows


# -------------------------------------------------------------------------- a run.json that was within reach

FILES: dict[str, str | bytes | None] = {
    "pyproject.toml": '[project]\nname = "pkg"\nversion = "1"\n',
    "src/pkg/core.py": "def f():\n    return 1\n",
    "tests/test_core.py": "def test_f():\n    assert 1\n",
    "oracle/weights.json": "{}\n",
    "invariants/checks/own.py": "".join(f"def check_{name}(fn, sample): pass\n" for name in "qwertz"),
}


@pytest.fixture
def prepared(make_repo: Callable[..., GitRepo], monkeypatch: pytest.MonkeyPatch) -> GitRepo:
    """
    A repository with an agent's patch, and its run prepared.
    """
    repo = make_repo()
    repo.commit(FILES, "base")
    repo.git("checkout", "--quiet", "-b", "patch")
    repo.commit({"src/pkg/core.py": "def f():\n    return 2\n"})
    monkeypatch.chdir(repo.root)
    prepare(repo.root, Request(base="main", today="2026-03-01"), {})
    return repo


ASKED = ("--base", "main", "--head", "patch", "--today", "2026-03-01")


def said_of_the_run(repo: GitRepo) -> list[str]:
    document = checked(json.loads((repo.root / ".gate/verdict.json").read_bytes()))
    found = [one for one in document["findings"] if one["path"] == ".gate/run.json"]
    assert {(one["rule"], one["gate"]) for one in found} <= {("protocol-error", "reject")}
    return [one["message"] for one in found]


def test_a_run_that_is_as_prepared_is_judged_as_it_is(prepared: GitRepo) -> None:
    assert run("verdict", *ASKED) == 1  # no lane ran
    assert said_of_the_run(prepared) == []


@pytest.mark.parametrize("seed", ["1", "2"])
def test_another_process_derives_the_same_run(prepared: GitRepo, seed: str) -> None:
    """
    Nothing in `run.json` hangs on the order of a set.
    """
    source = str(Path(oraclekeep.__file__).parents[1])
    env = {**os.environ, "PYTHONPATH": source, "PYTHONHASHSEED": seed}
    done = subprocess.run([sys.executable, "-m", "oraclekeep", "verdict", *ASKED], env=env, check=False)

    assert done.returncode == 1
    assert said_of_the_run(prepared) == []


FORGERIES: dict[str, tuple[Callable[[dict[str, Any]], Any], str]] = {
    "optional suite": (lambda run: run["lanes"]["suite"].update(required=False), "'suite'"),
    "nothing to do": (lambda run: run["lanes"]["suite"].update(empty_ok=True), "empty_ok"),
    "quarantine": (
        lambda run: run["lanes"]["suite"].update(quarantine=["tests/test_core.py::test_f"]),
        "quarantine",
    ),
    "lane dropped": (lambda run: run["lanes"].pop("suite"), "'suite'"),
    "lane added": (lambda run: run["lanes"].update(more={"nonce": "1"}), "'more'"),
    "other base": (lambda run: run.update(base=run["head"]), "base is"),
    "other kit": (lambda run: run.update(kit="9.9"), "kit is"),
    "other day": (lambda run: run.update(today="2020-01-01"), "today is"),
    "other policy": (lambda run: run.update(policy_tree="0" * 40), "policy_tree is"),
}


@pytest.mark.parametrize("name", FORGERIES)
def test_what_a_lane_wrote_into_the_run_is_seen_and_changes_nothing(prepared: GitRepo, name: str) -> None:
    """
    The verdict judges by what the commits call for: a lane made optional is missed all the same.
    """
    forge, part = FORGERIES[name]
    path = prepared.root / ".gate/run.json"
    forged = json.loads(path.read_bytes())
    forge(forged)
    path.write_text(json.dumps(forged))

    assert run("verdict", *ASKED) == 1
    assert part in "\n".join(said_of_the_run(prepared))
    lanes = json.loads((prepared.root / ".gate/verdict.json").read_bytes())["lanes"]
    assert (lanes["suite"]["class"], lanes["suite"]["required"]) == ("missing", True)
    assert "more" not in lanes


def test_a_branch_that_moved_is_another_run(prepared: GitRepo) -> None:
    prepared.git("branch", "--force", "main", "patch")

    assert run("verdict", *ASKED) == 1
    assert any(message.startswith("run.json: base is") for message in said_of_the_run(prepared))


def test_measured_power_that_base_asks_for_and_nobody_measures_does_not_pass(
    make_repo: Callable[..., GitRepo], monkeypatch: pytest.MonkeyPatch
) -> None:
    repo = make_repo()
    repo.commit({"oracle/gate.yaml": "power: block\n", "a.py": "x = 1\n"}, "base")
    repo.git("checkout", "--quiet", "-b", "patch")
    repo.commit({"a.py": "x = 2\n"})
    monkeypatch.chdir(repo.root)
    prepare(repo.root, Request(base="main", today="2026-03-01"), {})

    assert run("verdict") == 1
    lost = [
        one
        for one in json.loads((repo.root / ".gate/verdict.json").read_bytes())["findings"]
        if one.get("lane") == "power"
    ]
    assert [(one["rule"], one["path"]) for one in lost] == [("protocol-error", "oracle/gate.yaml")]
    assert "power: off" in lost[0]["advice"]


def test_asking_for_commits_wants_a_run_and_commits(prepared: GitRepo, place: Path) -> None:
    with pytest.raises(MissingEvidence):
        run("verdict", "--base", "nowhere")
    (prepared.root / ".gate/run.json").unlink()
    with pytest.raises(MissingEvidence, match=r"run\.json"):
        run("verdict", *ASKED, "--junit", f"suite={place / 'green.xml'}")
