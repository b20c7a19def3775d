"""
Data that tests read is judged by a lock where there is one, and as an expectation where there is none.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import json
from typing import TYPE_CHECKING, Final

import pytest

from oraclekeep.pipeline import Request, score
from oraclekeep.reports.scoring import document

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.conftest import GitRepo

READS: Final = """\
from pathlib import Path

from shop import names


def test_names():
    assert names() == Path(__file__).parent.joinpath("fixtures", "names.txt").read_text().split()
"""
CODE: Final = "src/shop/__init__.py"
DATA: Final = "tests/fixtures/names.txt"
OLD, NEW = "ada\nbob\n", "ada\neve\n"
BASE: Final = {
    "pyproject.toml": '[project]\nname = "shop"\nversion = "1"\n',
    CODE: "def names():\n    return ['ada', 'bob']\n",
    "tests/test_names.py": READS,
    DATA: OLD,
}
CHANGED: Final = {CODE: "def names():\n    return ['ada', 'eve']\n"}


def intent(**keys: object) -> dict[str, str]:
    return {"oracle/intent.json": json.dumps(keys)}


NOTE: Final = {"path": DATA, "digest": hashlib.sha256(NEW.encode()).hexdigest(), "reason": "eve came"}
#: name -> what base has besides, the patch, the rows that reject
CASES: Final = {
    "before adoption": ({}, {DATA: NEW}, {"expectation-rewritten"}),
    "no lock": (intent(), {DATA: NEW}, {"expectation-rewritten"}),
    "with the code that it follows": (intent(), {DATA: NEW, **CHANGED}, {"expectation-rewritten"}),
    "the code is listed": (intent(allow_behavior_change=["src/shop/"]), {DATA: NEW, **CHANGED}, set()),
    "what the readers use is listed": (intent(allow_behavior_change=["src/shop/"]), {DATA: NEW}, set()),
    "another module is listed": (
        intent(allow_behavior_change=["src/other/"]),
        {DATA: NEW},
        {"expectation-rewritten"},
    ),
    "a note announces the bytes": (intent(fixture_changes=[NOTE]), {DATA: NEW}, set()),
    "a note announces other bytes": (
        intent(fixture_changes=[NOTE]),
        {DATA: "eve\n"},
        {"expectation-rewritten"},
    ),
    "base says that it is frozen": (
        {**intent(), "oracle/gate.yaml": "fixtures: [tests/fixtures]\n"},
        {DATA: NEW},
        {"fixture-drift"},
    ),
    "gone": (intent(), {DATA: None}, {"expectation-rewritten"}),
    "moved": (intent(), {DATA: None, "tests/data/names.txt": OLD}, set()),
    "line ends and spaces": (intent(), {DATA: "ada bob"}, set()),
    "a readme beside it": ({"tests/fixtures/README.md": "a\n"}, {"tests/fixtures/README.md": "b\n"}, set()),
}


@pytest.mark.parametrize("name", CASES)
def test_a_data_file_is_judged_once(name: str, make_repo: Callable[..., GitRepo]) -> None:
    base, patch, rows = CASES[name]
    repo = make_repo()
    repo.commit({**BASE, **base})
    repo.git("checkout", "--quiet", "-b", "patch")
    repo.commit(patch)

    doc = document(score(Request(repo.root, dt.date(2026, 1, 1), "main")))

    assert {one["rule"] for one in doc["findings"] if one["gate"] == "reject"} == rows


CALL: Final = "from shop import names\n\n\ndef test_names({given}):\n    {asked}(names())\n"
FIXTURE: Final = CALL.format(given="data_regression", asked="data_regression.check")
APPROVED: Final = f"from approvaltests import verify\n{CALL.format(given='', asked='verify')}"
REPLAYED: Final = f"import pytest\n\n{CALL}".replace("\n\n\ndef", "\n\n\n@pytest.mark.vcr\ndef").format(
    given="", asked="assert "
)
#: name -> the test file, the stored answer that is named after it, what becomes of it, the rows that reject
ANSWERS: Final = {
    "pytest-regressions": (FIXTURE, "tests/test_names/test_names.yml", NEW, {"expectation-rewritten"}),
    "approvaltests": (
        APPROVED,
        "tests/test_names.test_names.approved.txt",
        NEW,
        {"expectation-rewritten"},
    ),
    "a cassette": (
        REPLAYED,
        "tests/cassettes/test_names/test_names.yaml",
        NEW,
        {"expectation-rewritten"},
    ),
    "only spaces": (FIXTURE, "tests/test_names/test_names.yml", "ada  bob\n", set()),
    "gone: the test says so": (FIXTURE, "tests/test_names/test_names.yml", None, set()),
    "a folder of the same name": (
        "from shop import names\n\n\ndef test_names():\n    assert names()\n",
        "tests/test_names/notes.md",
        NEW,
        set(),
    ),
}


@pytest.mark.parametrize("name", ANSWERS)
def test_a_stored_answer_belongs_to_the_file_it_is_named_after(
    name: str, make_repo: Callable[..., GitRepo]
) -> None:
    text, path, after, rows = ANSWERS[name]
    repo = make_repo()
    repo.commit({**BASE, **intent(), "tests/test_names.py": text, path: OLD})
    repo.git("checkout", "--quiet", "-b", "patch")
    repo.commit({path: after})

    doc = document(score(Request(repo.root, dt.date(2026, 1, 1), "main")))

    assert {one["rule"] for one in doc["findings"] if one["gate"] == "reject"} == rows
