"""
Options that let more pass are told by what they are said to be, not by how that is written.
"""

from __future__ import annotations

import ast
import datetime as dt
from typing import TYPE_CHECKING, Final

import pytest

from oraclekeep.oracles import terms
from oraclekeep.oracles.leniency import OPTIONS, Option, Turn, Way, label_of, turn
from oraclekeep.pipeline import Request, score
from oraclekeep.reports.scoring import document

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.conftest import GitRepo

OFF: Final = Option("", "check_dtype", Way.OFF)
LEAVES: Final = Option("", "catch_exceptions", Way.LEAVES, value=False)
COMES: Final = Option("", "exclude_paths", Way.COMES)
GOES: Final = Option("", "match", Way.GOES)
MOST: Final = Option("", "limit", Way.MOST, value=float("inf"))
LEAST: Final = Option("", "count", Way.LEAST, value=1)
LIMIT: Final = Option("", "timeout", Way.LIMIT)
#: an option, what base says (nothing where empty), what head says, and what became of it
TURNS: Final = (
    (OFF, "", "False", Turn.LOOSER),
    (OFF, "True", "False", Turn.LOOSER),
    (OFF, "", "True", Turn.SAME),
    (OFF, "False", "", Turn.STRICTER),
    (LEAVES, "False", "", Turn.LOOSER),
    (LEAVES, "False", "True", Turn.LOOSER),
    (LEAVES, "", "False", Turn.STRICTER),
    (LEAVES, "", "True", Turn.SAME),
    (COMES, "", "['a']", Turn.LOOSER),
    (COMES, "", "[]", Turn.SAME),
    (COMES, "['a']", "['a', 'b']", Turn.LOOSER),
    (COMES, "['a', 'b']", "['a']", Turn.STRICTER),
    (COMES, "['a']", "['b']", Turn.OTHER),
    (COMES, "['a']", "", Turn.STRICTER),
    (GOES, "['a', 'b']", "['a']", Turn.LOOSER),
    (GOES, "'a'", "None", Turn.LOOSER),
    (GOES, "'a'", "'b'", Turn.OTHER),
    (MOST, "'10 MB'", "'10 GB'", Turn.LOOSER),
    (MOST, "'2 GiB'", "'2048 MB'", Turn.SAME),
    (MOST, "'10 MB'", "", Turn.LOOSER),
    (MOST, "'10 MB'", "'some'", Turn.OTHER),
    (MOST, "'1.2.3 MB'", "5", Turn.OTHER),
    (LEAST, "100", "1", Turn.LOOSER),
    (LEAST, "100", "", Turn.LOOSER),
    (LEAST, "", "5", Turn.STRICTER),
    (LIMIT, "5", "20", Turn.SAME),
    (LIMIT, "5", "50", Turn.LOOSER),
    (LIMIT, "5", "None", Turn.LOOSER),
    (LIMIT, "", "5", Turn.SAME),
)


@pytest.mark.parametrize(("option", "old", "new", "expected"), TURNS)
def test_what_became_of_an_option(option: Option, old: str, new: str, expected: Turn) -> None:
    before, after = (terms.of(ast.literal_eval(text)) if text else None for text in (old, new))

    assert turn(option, before, after) is expected


def test_what_is_not_known_is_not_looser() -> None:
    assert turn(OFF, None, terms.name("prod:STRICT")) is Turn.OTHER


def test_a_call_is_labelled_by_what_it_is_made_on() -> None:
    made = terms.call(terms.name("click.testing.CliRunner"))
    fixture = terms.Term("fixture", "httpx_mock")

    labels = [label_of(terms.call(terms.Term("attr", "go", (one,)))) for one in (made, fixture, terms.NONE)]

    assert labels == ["click.testing.CliRunner().go", "httpx_mock.go", "?.go"]


def test_each_option_stands_in_the_table_once() -> None:
    rows = [(one.calls, one.key) for one in OPTIONS]

    assert len(set(rows)) == len(rows)


MARKED: Final = "import pytest\n\n\n@pytest.mark.xfail({})\ndef test_a():\n    assert 1 + 1 == 3\n"


@pytest.mark.parametrize(("setting", "rows"), [("true", set()), ("false", {"oracle-weakened"})])
def test_the_settings_may_make_every_xfail_strict(
    setting: str, rows: set[str], make_repo: Callable[..., GitRepo]
) -> None:
    settings = f"[tool.pytest.ini_options]\nxfail_strict = {setting}\n"
    repo = make_repo()
    repo.commit({"pyproject.toml": settings, "tests/test_a.py": MARKED.format("strict=True")})
    repo.git("checkout", "--quiet", "-b", "patch")
    repo.commit({"tests/test_a.py": MARKED.format("reason='it is known'")})

    doc = document(score(Request(repo.root, dt.date(2026, 1, 1), "main")))

    assert {one["rule"] for one in doc["findings"] if one["gate"] == "reject"} == rows
