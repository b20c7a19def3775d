"""
The page that people read: whole by itself, safe with names from outside, and true to the verdict.

How it looks is checked in a browser, by `nox -s reports`.
"""

from __future__ import annotations

import base64
import hashlib
import html.parser
import re
from itertools import pairwise
from typing import Any

import pytest

from oraclekeep.reports import REPORTERS
from oraclekeep.reports.diffs import diff
from oraclekeep.reports.view import MOST, groups, sentence, spans
from oraclekeep.reports.waterfall import budget

from .scores import finding
from .verdicts import SAMPLES, lane, passed, verdict

GREEN = lane("suite", "green", *passed("a"))
VOID = {"meta", "br", "rect", "line"}
#: All that a page may say of where to go or what to do.
HARMLESS = {
    *("lang", "charset", "content", "name", "http-equiv", "class", "id", "href", "scope", "start", "open"),
    *("aria-hidden", "aria-label", "aria-labelledby", "focusable", "viewbox", "preserveaspectratio"),
    *("x", "y", "x1", "x2", "y1", "y2", "width", "height"),
}


class Reader(html.parser.HTMLParser):
    """
    Reads a page as a tree would be made of it.
    """

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str]]] = []
        self.text: dict[str, list[str]] = {}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, {name: value or "" for name, value in attrs}))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        for tag in self.open:
            self.text.setdefault(tag, []).append(data)

    def said(self, tag: str) -> str:
        return " ".join("".join(self.text.get(tag, [])).split())


def read(document: dict[str, Any]) -> Reader:
    reader = Reader()
    reader.feed(REPORTERS["html"](document))
    reader.close()
    assert reader.open == []
    return reader


@pytest.mark.parametrize("name", sorted(SAMPLES))
def test_a_page_needs_nothing_from_outside_and_runs_nothing(name: str) -> None:
    reader = read(SAMPLES[name]())
    ids = [attrs["id"] for _, attrs in reader.tags if "id" in attrs]

    assert not {"script", "link", "img", "iframe", "form", "object", "base"} & {tag for tag, _ in reader.tags}
    assert {key for _, attrs in reader.tags for key in attrs} <= HARMLESS
    assert {attrs["href"] for _, attrs in reader.tags if "href" in attrs} <= {f"#{one}" for one in ids}
    assert len(ids) == len(set(ids))


def test_only_our_own_style_is_trusted() -> None:
    page = REPORTERS["html"](SAMPLES["hostile"]())
    (style,) = re.findall("<style>(.*?)</style>", page, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    (policy,) = re.findall('Content-Security-Policy" content="([^"]*)"', page)

    assert policy == (f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'")
    assert "url(" not in style
    assert "@import" not in style


@pytest.mark.parametrize("name", sorted(SAMPLES))
def test_headings_and_tables_can_be_heard(name: str) -> None:
    """
    One h1, no level left out, a caption for each table, a scope for each heading of a row or column.
    """
    tags = read(SAMPLES[name]()).tags
    levels = [int(tag[1]) for tag, _ in tags if re.fullmatch(r"h\d", tag)]

    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(deeper - level <= 1 for level, deeper in pairwise(levels))
    assert [tag for tag, _ in tags].count("caption") == [tag for tag, _ in tags].count("table")
    assert all("scope" in attrs for tag, attrs in tags if tag == "th")
    assert {"header", "nav", "main", "footer"} <= {tag for tag, _ in tags}


def test_the_decision_comes_first_and_every_blocking_finding_is_there() -> None:
    document = SAMPLES["reject"]()
    reader = read(document)
    whole = reader.said("main")

    assert reader.said("h1") == "✕Reject score undefined"
    for one in document["findings"]:
        assert one["message"][1:40].replace("`", "") in whole
        assert one["path"] in whole
    assert "2 uncommitted files were not judged" in whole
    assert "tests/test_old.py" in whole, "what nobody could read is said"
    assert "#12: nobody faxes" in whole


def test_an_observed_rejection_says_that_nothing_is_blocked() -> None:
    assert "the exit code is 0" in read(SAMPLES["observe"]()).said("main")


def test_a_rejection_without_a_finding_shows_its_reason() -> None:
    assert "no lane was judged" in read(verdict()).said("main")


def test_what_a_crowd_leaves_out_is_counted() -> None:
    found = [finding("oracle-removed", -1, line=number) for number in range(MOST + 7)]
    page = REPORTERS["html"](verdict(*found, lanes=[GREEN]))

    assert "and 7 more in <code>.gate/verdict.json</code>" in page
    assert page.count("<li>") >= MOST


def test_groups_keep_the_verdicts_order_and_say_the_same_step_once() -> None:
    one, two = groups(
        [
            finding("test-lost", -2, advice="Restore it."),
            finding("oracle-removed", -1, advice="Put it back."),
            finding("test-lost", -1, advice="Restore it."),
            finding("oracle-removed", -1, advice="Or ask."),
        ]
    )

    assert (one.row, one.points, one.advice) == ("test-lost", -3, "Restore it.")
    assert (two.row, two.points, two.advice) == ("oracle-removed", -2, "")


# ----------------------------------------------------------------------------------------------- the budget


def steps(*findings: dict[str, Any]) -> list[tuple[str, str, str, float, float]]:
    found = budget(verdict(*findings, lanes=[GREEN])).steps
    return [(one.label, one.points, one.tone, one.left, one.width) for one in found]


def test_losses_lead_from_0_to_the_score() -> None:
    lost, weaker = finding("test-lost", -3), finding("oracle-weakened", -1)

    assert steps(lost, weaker) == [
        ("test-lost", "-3", "loss", 25.0, 75.0),
        ("oracle-weakened", "-1", "loss", 0.0, 25.0),
        ("score", "-4", "total", 0.0, 100.0),
    ]


def test_a_credit_counts_only_where_nothing_was_lost() -> None:
    credit = finding("property-added", 2, "note")

    assert steps(credit) == [
        ("property-added", "+2", "gain", 0.0, 100.0),
        ("score", "+2", "total", 0.0, 100.0),
    ]
    assert [one[2] for one in steps(finding("oracle-removed", -2), credit)] == ["loss", "idle", "total"]


def test_what_is_undefined_has_no_length() -> None:
    assert steps(finding("fixture-drift"), finding("oracle-removed", -1)) == [
        ("oracle-removed", "-1", "loss", 0.0, 100.0),
        ("fixture-drift", "undefined", "undefined", 0, 100),
        ("score", "undefined", "undefined", 0, 100),
    ]


def test_one_point_beside_a_thousand_can_be_seen() -> None:
    found = steps(finding("write-set", -9900), finding("oracle-removed", -1))

    assert all(left >= 0 and width > 0.5 and left + width <= 100 for *_, left, width in found)


def test_where_nothing_costs_there_is_no_budget() -> None:
    assert steps(finding("ledger-lapsed", gate="note")) == []


# ------------------------------------------------------------------------------------------------- the diff


def lines(before: str | None, after: str | None) -> list[tuple[str, str]]:
    found = diff(finding("oracle-weakened", -1, before=before, after=after))
    return [
        (line.sign, "".join(f"[{one.text}]" if one.differs else one.text for one in line.pieces))
        for line in found
    ]


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        (None, None, []),
        ("assert x", None, [("-", "assert x")]),
        (None, "@skip", [("+", "@skip")]),
        ("assert x == 3", "assert x", [("-", "assert x[ == 3]"), ("+", "assert x")]),
        ("assert x == 3", "assert x == 4", [("-", "assert x == [3]"), ("+", "assert x == [4]")]),
        ("assert x == 3", "pass", [("-", "assert x == 3"), ("+", "pass")]),
        ("assert x", "assert x", [(" ", "assert x")]),
        ("a\nb", "a\nc", [("-", "a [b]"), ("+", "a [c]")]),
        ("", "x", [("-", ""), ("+", "x")]),
    ],
)
def test_a_check_is_shown_before_and_after(
    before: str | None, after: str | None, expected: list[tuple[str, str]]
) -> None:
    assert lines(before, after) == expected


@pytest.mark.parametrize("form", sorted(set(REPORTERS) - {"json", "xml"}))
def test_long_checks_are_cut_around_the_place_where_they_part(form: str) -> None:
    """
    Cut at their ends alone, the two would look the same.
    """
    long = "assert f(" + "x, " * 3000
    one = finding("oracle-weakened", -1, before=f"{long}1) == 2", after=f"{long}1) >= 2")
    page = REPORTERS[form](verdict(one, lanes=[GREEN])).replace("</mark>", "").replace("<mark>", "")

    assert ") == 2" in page
    assert ") &gt;= 2" in page or ") >= 2" in page


def test_backticks_mean_code_and_a_lone_one_nothing() -> None:
    assert [(one.text, one.differs) for one in spans("a `b` c")] == [
        ("a ", False),
        ("b", True),
        (" c", False),
    ]
    assert [(one.text, one.differs) for one in spans("a ` c")] == [("a ` c", False)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [("the test", "The test"), ("src/a.py is", "src/a.py is"), ("`x` is", "`x` is"), ("", ""), ("It", "It")],
)
def test_a_sentence_begins_with_a_capital_and_a_name_does_not(text: str, expected: str) -> None:
    assert sentence(text) == expected
