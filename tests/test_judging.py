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

if TYPE_CHECKING:
    from collections.abc import Sequence

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
    ids = {"base": "b" * 40, "head": "c" * 40}
    score = {
        "schema": "oraclekeep/score/1",
        "decision": "allow",
        "state": "ok",
        "score": 0,
        **ids,
        "findings": [],
    }
    (place / ".gate").mkdir(exist_ok=True)
    (place / ".gate" / "score.json").write_text(json.dumps({**score, **changes}))


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
    assert json.loads((place / ".gate" / "verdict.json").read_bytes())["state"] == state
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
        "lanes": lanes,
    }
    (place / ".gate" / "run.json").write_text(json.dumps(run_json))
    with pytest.raises(MissingEvidence, match="different heads"):
        run("verdict")

    scored(place)
    assert run("verdict") == 1
    (place / ".gate" / "run.json").write_text(json.dumps({**run_json, "lanes": {}}))
    with pytest.raises(MissingEvidence):
        run("verdict")


@pytest.mark.parametrize("word", ["suite", "=green.xml", "suite=", "other=green.xml"])
def test_a_lane_argument_that_makes_no_sense_is_a_usage_error(place: Path, word: str) -> None:
    scored(place)
    lanes = {"suite": {"nonce": "1", "required": True}}
    ids = {"kit": "0", "today": "2024-01-01", "base": "b" * 40, "head": "c" * 40}
    (place / ".gate" / "run.json").write_text(
        json.dumps({"schema": "oraclekeep/run/1", **ids, "lanes": lanes})
    )
    with pytest.raises(UsageError):
        run("verdict", "--junit", word)
