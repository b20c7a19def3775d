"""
The findings beside the lines: what SARIF's readers rely on.

`nox -s reports` holds it against SARIF's own schema.
"""

from __future__ import annotations

import json
import re
from typing import Any
from urllib.parse import unquote_to_bytes

import pytest

from oraclekeep.reports import REPORTERS
from oraclekeep.rows import ROWS

from .scores import checked, finding
from .verdicts import SAMPLES, lane, passed, verdict


def run_of(document: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(REPORTERS["sarif"](checked(document)))["runs"][0]
    return found


def results(*findings: dict[str, Any]) -> list[dict[str, Any]]:
    judged = verdict(*findings, lanes=[lane("suite", "green", *passed("a"))])
    return list(run_of(judged)["results"])


def place(result: dict[str, Any]) -> dict[str, Any]:
    return dict(result["locations"][0]["physicalLocation"])


@pytest.mark.parametrize("name", sorted(SAMPLES))
def test_every_finding_is_a_result_with_a_rule_and_a_place(name: str) -> None:
    document = SAMPLES[name]()
    run = run_of(document)
    rules = run["tool"]["driver"]["rules"]

    assert [one["ruleId"] for one in run["results"]] == [one["rule"] for one in document["findings"]]
    assert all(rules[one["ruleIndex"]]["id"] == one["ruleId"] for one in run["results"])
    assert all(one["help"]["text"] and one["help"]["markdown"] for one in rules)
    assert all(place(one)["artifactLocation"]["uri"] for one in run["results"])
    assert all(one["message"]["text"] for one in run["results"])


@pytest.mark.parametrize("name", sorted(SAMPLES))
def test_places_are_relative_references_that_lead_back_to_the_path(name: str) -> None:
    document = SAMPLES[name]()
    for result, one in zip(run_of(document)["results"], document["findings"], strict=True):
        uri = place(result)["artifactLocation"]["uri"]

        assert re.fullmatch(r"(?:[A-Za-z0-9._~/-]|%[0-9A-F]{2})+", uri)
        if one["path"]:
            assert unquote_to_bytes(uri) == one["path"].encode("utf-8", "surrogateescape")


def test_a_path_that_looks_absolute_stays_below_the_root() -> None:
    (one,) = results(finding("oracle-removed", -1, path="//host/share"))

    assert place(one)["artifactLocation"] == {"uri": "host/share", "uriBaseId": "%SRCROOT%"}


def test_only_a_line_of_head_is_pointed_at() -> None:
    """
    A check that is gone has base's line; in head's file that would blame a stranger.
    """
    weaker, gone, whole = results(
        finding("oracle-weakened", -1, path="a", line=7, before="assert x == 1", after="assert x"),
        finding("oracle-removed", -1, path="b", line=7, before="assert x == 1"),
        finding("oracle-removed", -1, path="c", line=0),
    )

    assert [place(one).get("region") for one in (weaker, gone, whole)] == [{"startLine": 7}, None, None]
    assert "line 7 of base" in gone["message"]["text"]
    assert (gone["properties"]["side"], gone["properties"]["line"]) == ("base", 7)


def test_what_blocks_is_an_error_and_good_news_is_none() -> None:
    found = results(
        finding("oracle-removed", -1, path="a"),
        finding("ledger-lapsed", gate="note", path="b"),
        finding("oracle-added", gate="note", path="c"),
        finding("oracle-removed", gate="note", path="d", allowed_by="#7: nobody faxes"),
    )
    blocks, told, good, allowed = sorted(found, key=lambda one: str(place(one)))

    assert [(one["kind"], one["level"]) for one in (blocks, told, good, allowed)] == [
        ("fail", "error"), ("fail", "note"), ("informational", "none"), ("fail", "note"),
    ]  # fmt: skip
    assert allowed["suppressions"] == [
        {"kind": "external", "status": "accepted", "justification": "#7: nobody faxes"}
    ]
    assert not any("suppressions" in one for one in (blocks, told, good))


def test_a_finding_is_known_again_where_its_line_moved() -> None:
    one = finding("oracle-removed", -1, line=3, before="assert x == 1")
    first, second = results(one, one)
    (moved,) = results({**one, "line": 90})
    (other,) = results({**one, "before": "assert x == 2"})
    marks = [next(iter(each["partialFingerprints"].values())) for each in (first, second, moved, other)]

    assert marks[0] == marks[2]
    assert len(set(marks)) == 3


def test_a_name_from_outside_is_neither_link_nor_placeholder() -> None:
    name = "t.py::a[x](https://evil.example)"
    (one,) = results(finding("oracle-removed", -1, test=name, message="{0} {x}"))

    assert one["message"]["text"] == "t.py::a[x] (https://evil.example): {{0}} {x}"


def test_every_row_can_be_explained_to_a_forge() -> None:
    rules = run_of(
        verdict(*(finding(row, gate="note") for row in ROWS), lanes=[lane("suite", "green", *passed("a"))])
    )["tool"]["driver"]["rules"]

    assert [one["id"] for one in rules] == list(ROWS)
    assert all(re.fullmatch("([A-Z][a-z]+)+", one["name"]) for one in rules)
