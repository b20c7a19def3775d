"""
One verdict in every form.  `UPDATE_GOLDENS=1 pytest tests/test_reports.py` rewrites the expected files.
"""

from __future__ import annotations

import html.parser
import json
import os
import time
from pathlib import Path
from typing import Any

import pytest

import oraclekeep
from oraclekeep.junit import read_junit
from oraclekeep.model import Finding, Lane, Outcome, TestResult
from oraclekeep.reports import FILES, REPORTERS
from oraclekeep.reports.markdown import MAX_BYTES, code
from oraclekeep.verdict import Case, judge

GOLDENS = Path(__file__).parent / "goldens" / "verdict"
HOSTILE = "tests/t.py::test_x[</td><script>alert(1)</script>|`@team`\x1b[2J\u202e](https://evil.example)]"


def document(*, hostile: bool = False) -> dict[str, Any]:
    name = HOSTILE if hostile else "tests/test_cart.py::test_total[0.1]"
    message = HOSTILE if hostile else "failed: assert 3 == 4"
    lanes = (
        Lane(
            "suite", "red", required=True, seconds=1.25,
            results=(
                TestResult("tests/test_cart.py::test_empty", Outcome.PASSED, seconds=0.01),
                TestResult(name, Outcome.FAILED, message, seconds=0.02),
                TestResult("tests/test_cart.py::TestOld::test_skip", Outcome.SKIPPED, "later"),
            ),
            blocking=(Finding("tests/test_cart.py", 0, "suite-red", name, message, "make the test pass"),),
            remarks=("2 tests were deselected: a, b",),
            notes=(Finding("oracle/quarantine.json", 7, "ledger-lapsed", "t.py::gone", "names nothing"),),
        ),
        Lane("properties", "optional-missing"),
    )  # fmt: skip
    weakened = {
        "rule": "oracle-weakened", "path": "tests/test_cart.py", "line": 12,
        "test": "tests/test_cart.py::test_sum",
        "before": "assert total(cart) == 3", "after": "assert total(cart)", "points": -1, "gate": "reject",
        "message": "an exact value is no longer compared", "advice": "compare the value again",
    }  # fmt: skip
    score = {
        "schema": "oraclekeep/score/1", "decision": "reject", "state": "negative", "score": -1,
        "base": "b" * 40, "merge_base": "b" * 40, "head": "c" * 40, "patch": "agent", "credit": 0, "debit": 1,
        "power": {"base": 14, "head": 13}, "findings": [weakened],
    }  # fmt: skip
    return dict(judge(Case(score=score, lanes=lanes)).document)


@pytest.mark.parametrize("form", ["terminal", "md", "json", "xml", "sarif"])
def test_a_verdict_reads_as_it_always_did(form: str) -> None:
    expected = GOLDENS / f"verdict.{form}"
    actual = REPORTERS[form](document()).replace(f'"{oraclekeep.__version__}"', '"VERSION"')
    if os.environ.get("UPDATE_GOLDENS"):
        expected.parent.mkdir(parents=True, exist_ok=True)
        expected.write_text(actual, encoding="utf-8")

    assert actual == expected.read_text(encoding="utf-8")


@pytest.mark.parametrize("form", sorted(REPORTERS))
def test_a_name_from_outside_steers_no_report(form: str) -> None:
    actual = REPORTERS[form](document(hostile=True))

    assert "\x1b" not in actual
    assert "\u202e" not in actual
    if form in {"html", "xml"}:
        assert "<script" not in actual
    if form == "md":
        outside = "".join(part for index, part in enumerate(actual.split("``")) if index % 2 == 0)
        assert "<script" not in outside
        assert "@team" not in outside


@pytest.mark.parametrize("text", ["a", "`", "``", "a`b", "`a", "a|b", "a\nb", "<b>", "@x", "a``` b`"])
def test_a_code_span_cannot_be_left(text: str) -> None:
    span = code(text)
    fence = span[: len(span) - len(span.lstrip("`"))]
    inner = span[len(fence) : -len(fence)]

    assert span.endswith(fence)
    assert fence not in inner
    assert "\n" not in span
    assert "|" not in inner.replace("\\|", "")


def test_markdown_stays_below_the_size_at_which_forges_cut() -> None:
    long = "é" * 400
    many = [Finding("t.py", n, "suite-red", f"t.py::test[{long}{n}]", "x" * 900) for n in range(2000)]
    crowd = Lane("suite", "red", required=True, blocking=tuple(many))
    score = {"schema": "oraclekeep/score/1", "decision": "allow", "state": "ok", "score": 0, "findings": []}
    page = REPORTERS["md"](judge(Case(score=score, lanes=(crowd,))).document)

    assert len(page.encode()) < MAX_BYTES
    assert "more in `.gate/verdict.json`" in page


def test_a_large_suite_is_merged_in_time_that_grows_with_its_size() -> None:
    """
    Counting all cases anew for each one takes minutes here.
    """
    verdict = document()
    verdict["lanes"]["suite"]["tests"] *= 6_000
    begun = time.monotonic()
    REPORTERS["xml"](verdict)

    assert time.monotonic() - begun < 30


def test_the_merged_junit_file_is_one_that_the_gate_itself_can_read() -> None:
    report = read_junit(REPORTERS["xml"](document(hostile=True)).encode(), "verdict.xml")

    assert not report.problems
    assert [record.name for record in report.records if record.outcome is Outcome.FAILED][-1:] != []
    assert {record.classname for record in report.records} >= {
        "tests.test_cart",
        "suite-red",
        "oracle-weakened",
    }


def test_json_holds_names_that_are_not_utf8() -> None:
    odd = Lane("suite", "red", blocking=(Finding("t\udce9.py", 0, "suite-red", "t\udce9.py::a", "x"),))
    score = {"schema": "oraclekeep/score/1", "decision": "allow", "state": "ok", "score": 0, "findings": []}
    judged = judge(Case(score=score, lanes=(odd,))).document
    texts = {form: REPORTERS[form](judged) for form in REPORTERS}

    assert json.loads(texts["json"])["findings"][0]["path"] == "t\udce9.py"
    assert all(text.encode("utf-8") for text in texts.values())


def test_the_page_is_well_formed_and_needs_nothing_from_outside() -> None:
    page = REPORTERS["html"](document(hostile=True))
    opened: list[str] = []

    class Reader(html.parser.HTMLParser):
        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            assert not {"src", "href", "onload", "onclick"} & {name for name, _ in attrs}
            if tag not in {"meta", "br"}:
                opened.append(tag)

        def handle_endtag(self, tag: str) -> None:
            assert opened.pop() == tag

    Reader().feed(page)
    assert opened == []


def test_every_form_that_is_written_has_a_reporter() -> None:
    assert set(FILES) | {"terminal"} == set(REPORTERS)
