"""
Every row is explained, on the page and by `explain`.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from oraclekeep.cli import main
from oraclekeep.errors import Exit
from oraclekeep.explanations import EXPLANATIONS
from oraclekeep.model import RowKind
from oraclekeep.policy.schema import schema
from oraclekeep.reports.rows_page import main as write_page
from oraclekeep.reports.rows_page import rows_page
from oraclekeep.rows import ROWS

if TYPE_CHECKING:
    from collections.abc import Callable

    from conftest import GitRepo

PAGE = Path(__file__).resolve().parents[1] / "docs" / "rows.md"
ALLOWANCE = re.compile(r'`(\{"row": .*?\})`')


def test_every_row_is_explained_and_nothing_else_is() -> None:
    assert set(ROWS) == set(EXPLANATIONS)


@pytest.mark.parametrize("row", ROWS)
def test_an_explanation_is_short_and_whole(row: str) -> None:
    words = EXPLANATIONS[row]
    lines = words.example.splitlines()

    assert words.why.endswith(".")
    assert words.allow.endswith(".")
    assert 2 <= len(lines) <= 8
    assert all(len(line) <= 100 for line in lines)


@pytest.mark.parametrize("row", [row for row, one in ROWS.items() if one.kind is RowKind.UNDEFINED])
def test_an_undefined_row_is_never_switched_off(row: str) -> None:
    assert EXPLANATIONS[row].allow.startswith("Never")


@pytest.mark.parametrize("row", ["write-set", "machinery-weakened", "collection-tampered", "owner-unproven"])
def test_no_weight_switches_off_what_guards_the_gate(row: str) -> None:
    assert "no weight switches it off" in EXPLANATIONS[row].allow.lower()


@pytest.mark.parametrize("row", [row for row in ROWS if ALLOWANCE.search(EXPLANATIONS[row].allow)])
def test_an_allowance_that_is_shown_is_one_that_the_gate_reads(row: str) -> None:
    """
    It names its own row, and has the keys that the schema wants.
    """
    found = ALLOWANCE.search(EXPLANATIONS[row].allow)
    allowance = schema("intent")["properties"]["allowances"]["items"]
    entry = json.loads(found[1]) if found else {}

    assert entry["row"] == row
    assert row in allowance["properties"]["row"]["enum"]
    assert {*allowance["required"]} <= entry.keys() <= {*allowance["properties"]}


def test_the_page_is_the_codes() -> None:
    hint = "regenerate it: python -m oraclekeep.reports.rows_page docs/rows.md"

    assert rows_page() == PAGE.read_text(encoding="utf-8"), hint


def test_the_page_has_a_section_for_each_row_in_the_tables_order() -> None:
    assert list(ROWS) == re.findall(r"^## (.+)$", rows_page(), re.MULTILINE)


def test_the_page_is_written_where_it_is_asked_for(tmp_path: Path) -> None:
    code = write_page([str(tmp_path / "rows.md")])

    assert code == Exit.ALLOW
    assert (tmp_path / "rows.md").read_text(encoding="utf-8") == rows_page()


@pytest.mark.parametrize("row", ROWS)
def test_explain_prints_a_row(row: str, capsys: pytest.CaptureFixture[str]) -> None:
    code = main(["explain", row])

    shown = capsys.readouterr().out
    assert code == Exit.ALLOW
    assert shown.startswith(row)
    for part in (ROWS[row].observed, EXPLANATIONS[row].why, EXPLANATIONS[row].allow):
        assert part in shown
    for line in EXPLANATIONS[row].example.splitlines():
        assert line in shown


@pytest.mark.parametrize("row", ROWS)
def test_explain_prints_a_row_as_json(row: str, capsys: pytest.CaptureFixture[str]) -> None:
    code = main(["explain", row, "--json"])

    answer = json.loads(capsys.readouterr().out)
    assert code == Exit.ALLOW
    assert answer == {
        "schema": "oraclekeep/row/1",
        "id": row,
        "kind": ROWS[row].kind,
        "weight": ROWS[row].weight or None,
        "observed": ROWS[row].observed,
        "why": EXPLANATIONS[row].why,
        "example": EXPLANATIONS[row].example,
        "allow": EXPLANATIONS[row].allow,
    }


def test_explain_alone_lists_the_rows(capsys: pytest.CaptureFixture[str]) -> None:
    code = main(["explain"])

    assert code == Exit.ALLOW
    assert list(ROWS) == [line.split()[0] for line in capsys.readouterr().out.splitlines()]


def test_explain_alone_lists_the_rows_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    code = main(["explain", "--json"])

    answer = json.loads(capsys.readouterr().out)
    assert code == Exit.ALLOW
    assert answer["schema"] == "oraclekeep/rows/1"
    assert list(ROWS) == [one["id"] for one in answer["rows"]]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["oracle-remvoed"], "did you mean 'oracle-removed'?"),
        (["flxture-drift"], "did you mean 'fixture-drift'?"),
        (["zzz"], "`oraclekeep explain` lists them"),
        (["noise", "overdrawn"], "one row at a time"),
    ],
)
def test_what_explain_does_not_know_is_a_usage_error(
    words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code = main(["explain", *words])

    shown = capsys.readouterr()
    assert code == Exit.CANNOT_JUDGE
    assert said in shown.err
    assert shown.out == ""


def test_power_of_counts_the_named_tree(
    make_repo: Callable[..., GitRepo], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    repo = make_repo()
    repo.commit({"tests/test_sum.py": "def test_sum():\n    assert sum([1, 2]) == 3\n"})
    repo.commit({"tests/test_sum.py": "def test_sum():\n    sum([1, 2])\n"})
    monkeypatch.chdir(repo.root)

    codes = [main(["power-of", *words]) for words in (["HEAD~1"], [])]

    assert codes == [Exit.ALLOW, Exit.ALLOW]
    assert [": 1 oracles in 1 tests" in line for line in _first_lines(capsys)] == [True, False]


def _first_lines(capsys: pytest.CaptureFixture[str]) -> list[str]:
    return [line for line in capsys.readouterr().out.splitlines() if "oracles in" in line]


def test_power_of_a_tree_that_is_not_there_cannot_be_told(
    make_repo: Callable[..., GitRepo], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    repo = make_repo()
    repo.commit({"README.md": "nothing\n"})
    monkeypatch.chdir(repo.root)

    code = main(["power-of", "no-such-ref"])

    assert code == Exit.CANNOT_JUDGE
    assert "no-such-ref" in capsys.readouterr().err
