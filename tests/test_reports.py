"""
One verdict in every form.  `UPDATE_GOLDENS=1 pytest tests/test_reports.py` rewrites the expected files.
"""

from __future__ import annotations

import json
import os
import re
import time
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from markdown_it import MarkdownIt

import oraclekeep
from oraclekeep.junit import read_junit
from oraclekeep.model import Outcome
from oraclekeep.reports import FILES, REPORTERS
from oraclekeep.reports.markdown import MAX_BYTES, cell, code

from .scores import wrongs
from .verdicts import SAMPLES, hostile, many, reject, wide

if TYPE_CHECKING:
    from collections.abc import Callable

GOLDENS = Path(__file__).parent / "goldens"


@pytest.mark.parametrize("form", sorted(REPORTERS))
@pytest.mark.parametrize("name", ["allow", "reject"])
def test_a_verdict_reads_as_it_always_did(name: str, form: str) -> None:
    expected = GOLDENS / name / f"verdict.{form}"
    actual = REPORTERS[form](SAMPLES[name]()).replace(oraclekeep.__version__, "VERSION")
    if os.environ.get("UPDATE_GOLDENS"):
        expected.parent.mkdir(parents=True, exist_ok=True)
        expected.write_text(actual, encoding="utf-8")

    assert actual == expected.read_text(encoding="utf-8")


@pytest.mark.parametrize("form", sorted(REPORTERS))
@pytest.mark.parametrize("name", sorted(SAMPLES))
def test_every_verdict_can_be_shown_in_every_form(name: str, form: str) -> None:
    """
    And written as UTF-8, the decision first where people read it.
    """
    document = SAMPLES[name]()
    actual = REPORTERS[form](document)

    assert actual.encode("utf-8")
    if first := {"md": "\n\n", "html": "</title>", "terminal": "\n"}.get(form):
        assert document["decision"] in actual[: actual.index(first)]


@pytest.mark.parametrize("form", sorted(REPORTERS))
def test_a_name_from_outside_steers_no_report(form: str) -> None:
    actual = REPORTERS[form](hostile())

    assert "\x1b" not in actual
    assert "\u202e" not in actual
    if form in {"html", "xml"}:
        assert "<script" not in actual
    if form == "md":
        assert_says_nothing_in_markdown(actual)


def assert_says_nothing_in_markdown(page: str) -> None:
    """
    Read the page as a forge does: only our own tags are HTML, and names stand in code.
    """
    tokens = [
        token
        for block in MarkdownIt("commonmark").enable("table").parse(page)
        for token in (block, *(block.children or ()))
    ]
    tags = "".join(token.content for token in tokens if token.type in {"html_block", "html_inline"})
    said = "".join(token.content for token in tokens if token.type == "text")

    assert set(re.findall(r"<[^>]*>", tags)) <= {
        "<br>", "<details>", "</details>", "<summary>", "</summary>",
    }  # fmt: skip
    assert not {"link_open", "image"} & {token.type for token in tokens}
    assert "@" not in tags + said
    assert "evil" not in tags + said


@pytest.mark.parametrize("text", ["a", "`", "``", "a`b", "`a", "a|b", "a\nb", "<b>", "@x", "a``` b`"])
@pytest.mark.parametrize("write", [code, cell])
def test_a_code_span_cannot_be_left(text: str, write: Callable[[str], str]) -> None:
    span = write(text)
    fence = span[: len(span) - len(span.lstrip("`"))]
    inner = span[len(fence) : -len(fence)]

    assert span.endswith(fence)
    assert fence not in inner
    assert "\n" not in span
    assert write is code or "|" not in inner.replace("\\|", "")


def test_markdown_stays_below_the_size_at_which_forges_cut() -> None:
    document = many()
    page = REPORTERS["md"](document)
    shown = page.count("\n| `oracle-removed`") + page.count("\n| `suite-red`")
    left = [int(number) for number in re.findall(r"and (\d+) more in `.gate/verdict.json`", page)]

    assert len(page.encode()) < MAX_BYTES
    assert shown > 0
    assert left[0] == 2000 - shown, "what blocks and is left out is counted"
    assert left[-1] == 2000 - page.count("| `unproven-specimen`"), "so is what is only told"


def test_markdown_says_where_all_of_it_is_even_where_nothing_fits() -> None:
    document = many()
    plain = {**document["lanes"]["suite"], "remarks": [], "tests": []}
    document["lanes"] = {f"lane {number} {'x' * 200}": plain for number in range(400)}
    page = REPORTERS["md"](document)

    assert len(page.encode()) < MAX_BYTES
    assert "2000 findings reject it" in page
    assert "All 4000 findings are in `.gate/verdict.json`" in page


def test_a_check_in_markdown_is_a_diff_that_cannot_be_left() -> None:
    page = REPORTERS["md"](hostile())
    (fence,) = [
        token for token in MarkdownIt("commonmark").enable("table").parse(page) if token.type == "fence"
    ]

    assert fence.info == "diff"
    assert [line[:2] for line in fence.content.splitlines()] == ["- ", "+ "]
    assert "```" in fence.content


def test_a_large_suite_is_merged_in_time_that_grows_with_its_size() -> None:
    """
    Counting all cases anew for each one takes minutes here.
    """
    verdict = reject()
    verdict["lanes"]["suite"]["tests"] *= 6_000
    begun = time.monotonic()
    REPORTERS["xml"](verdict)

    assert time.monotonic() - begun < 30


def test_the_merged_junit_file_is_one_that_the_gate_itself_can_read() -> None:
    for name, sample in SAMPLES.items():
        document = sample()
        report = read_junit(REPORTERS["xml"](document).encode(), "verdict.xml")
        failed = [record for record in report.records if record.outcome is Outcome.FAILED]

        assert not report.problems, name
        assert len(report.records) == len(document["findings"]) + sum(
            len(one["tests"]) for one in document["lanes"].values()
        )
        assert {one["rule"] for one in document["findings"] if one["gate"] == "reject"} <= {
            record.classname for record in failed
        }


@pytest.mark.parametrize("name", sorted(SAMPLES))
def test_the_merged_junit_file_suits_the_strictest_readers(name: str) -> None:
    """
    Each testcase has both names, no two findings share them, times are plain decimals, and counts are true.
    """
    root = ET.fromstring(REPORTERS["xml"](SAMPLES[name]()))  # noqa: S314  # our own
    cases = list(root.iter("testcase"))
    findings = [(case.get("classname"), case.get("name")) for case in root[-1]]

    assert all(case.get("classname") and case.get("name") for case in cases)
    assert all(re.fullmatch(r"\d+(\.\d{1,3})?", one.get("time", "0")) for one in root.iter())
    assert all(set(case.keys()) <= {"classname", "name", "time"} for case in cases)
    assert len(findings) == len(set(findings))
    for key, tag in (("tests", "testcase"), ("failures", "failure"), ("errors", "error")):
        assert root.get(key) == str(len(list(root.iter(tag))))
        assert [suite.get(key) for suite in root] == [str(len(list(suite.iter(tag)))) for suite in root]


def test_json_holds_names_that_are_not_utf8() -> None:
    document = json.loads(REPORTERS["json"](wide()))

    assert "t\udce9 a%b:c?.py" in {one["path"] for one in document["findings"]}
    assert wrongs(document) == []


def test_every_form_that_is_written_has_a_reporter() -> None:
    assert set(FILES) | {"terminal"} == set(REPORTERS)
