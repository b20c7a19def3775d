"""
The published schemas of what the kit prints: strict, true to the code, and they refuse what is not a verdict.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest
from jsonschema import Draft202012Validator

from oraclekeep.model import Outcome, PatchKind, State
from oraclekeep.policy.schema import schema
from oraclekeep.reports import FILES
from oraclekeep.rows import ROWS
from oraclekeep.witness import Standing

from .scores import PUBLISHED, checked, finding, score, wrongs
from .verdicts import SAMPLES, reject

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

DOCS: Final = Path(__file__).resolve().parents[1] / "docs" / "reports.md"
SPEC: Final = Path(__file__).resolve().parents[2] / "shared" / "SPEC.md"


def objects(value: Any) -> Iterator[dict[str, Any]]:
    """
    Yield every schema of an object with keys of ours.
    """
    if isinstance(value, dict):
        if "properties" in value and "type" in value:
            yield value
        for child in value.values():
            yield from objects(child)
    if isinstance(value, list):
        for child in value:
            yield from objects(child)


@pytest.mark.parametrize("name", ["score", "verdict"])
def test_the_schema_is_one_and_takes_no_key_that_it_does_not_name(name: str) -> None:
    Draft202012Validator.check_schema(schema(name))

    assert schema(name)["properties"]["schema"] == {"const": f"oraclekeep/{name}/1"}
    assert all(one["additionalProperties"] is False for one in objects(schema(name)))
    assert all(set(one["required"]) <= set(one["properties"]) for one in objects(schema(name)))


@pytest.mark.parametrize("name", ["score", "verdict"])
def test_its_lists_are_the_codes(name: str) -> None:
    whole = schema(name)

    assert whole["$defs"]["row"]["enum"] == list(ROWS)
    assert whole["properties"]["state"]["enum"] == list(map(str, State))
    assert whole["properties"]["patch"]["enum"] == list(map(str, PatchKind))


def test_the_verdicts_lists_are_the_codes() -> None:
    defs, standings = schema("verdict")["$defs"], list(map(str, Standing))
    witness = schema("verdict")["properties"]["witness"]

    assert defs["test"]["properties"]["outcome"]["enum"] == list(map(str, Outcome))
    assert witness["properties"]["state"]["enum"] == standings
    assert defs["replay"]["properties"]["state"]["enum"] == [one for one in standings if one != "none"]


def test_a_verdict_says_all_that_a_score_says() -> None:
    """
    Two files, so that each can be used alone; what they share is the same but for the words.
    """
    ours, theirs = schema("score"), schema("verdict")
    own = {"schema", "mode", "lanes", "witness"}

    assert ours["allOf"] == theirs["allOf"]
    assert set(theirs["properties"]) - set(ours["properties"]) == own - {"schema"}
    for key in set(ours["properties"]) - own:
        assert ours["properties"][key] == theirs["properties"][key]
    for key, value in ours["$defs"]["finding"]["properties"].items():
        other = theirs["$defs"]["finding"]["properties"][key]
        assert {**value, "description": ""} == {**other, "description": ""}


@pytest.mark.parametrize("name", sorted(SAMPLES))
def test_every_sample_fits(name: str) -> None:
    assert wrongs(SAMPLES[name]()) == []


def test_a_score_fits() -> None:
    assert checked(score(*(finding(row) for row in ROWS)))


def _set(**changes: Any) -> Callable[[dict[str, Any]], None]:
    return lambda document: document.update(changes)


FAULTS: Final[dict[str, Callable[[dict[str, Any]], Any]]] = {
    "a key of nobody's": _set(extra=1),
    "allowed while undefined": _set(decision="allow"),
    "a number where none can be": _set(score=3),
    "no number where one must be": _set(state="negative"),
    "a rejection with nothing against it": _set(state="ok", score=0),
    "a name for a commit": _set(base="main"),
    "another schema": _set(schema="oraclekeep/score/1"),
    "a row of nobody's": lambda document: document["findings"][0].update(rule="no-such-row"),
    "a finding without a gate": lambda document: document["findings"][0].pop("gate"),
    "a line below 0": lambda document: document["findings"][0].update(line=-1),
    "a class of nobody's": lambda document: document["lanes"]["suite"].update({"class": "fine"}),
    "a lane that may or may not be required": lambda document: document["lanes"]["suite"].pop("required"),
    "an outcome of nobody's": lambda document: document["lanes"]["suite"]["tests"][0].update(outcome="ok"),
    "a witness without a state": lambda document: document["witness"].pop("state"),
    "a difference without a vote": lambda document: document["witness"]["runs"][0]["differences"][0].clear(),
}


@pytest.mark.parametrize("name", FAULTS)
def test_what_is_no_verdict_is_refused(name: str) -> None:
    document = reject()
    FAULTS[name](document)

    assert wrongs(document)


@pytest.mark.skipif(not SPEC.exists(), reason="there is no ../shared/SPEC.md")
def test_the_spec_names_no_key_that_the_schemas_lack() -> None:
    """
    And no row: the keys are those of the JSON that SPEC §8 shows.
    """
    text = SPEC.read_text(encoding="utf-8")
    shown = text[text.index("`oraclekeep score --json` prints") : text.index("## 9.")]
    example, lanes = shown.split("`verdict.json` has the same")
    keys = set(re.findall(r'"([a-z_]+)":', example)) - {"oracle-removed"}
    known = schema("score")["properties"].keys() | schema("score")["$defs"]["finding"]["properties"].keys()

    assert keys <= known
    told = set(re.findall(r"[a-z]+", lanes[lanes.index("{class") : lanes.index("...")])) - {"tests"}
    assert told <= schema("verdict")["$defs"]["lane"]["properties"].keys()


@pytest.mark.skipif(not SPEC.exists(), reason="there is no ../shared/SPEC.md")
def test_the_forms_are_those_of_the_spec() -> None:
    text = SPEC.read_text(encoding="utf-8")
    section = text[text.index("## 7.") : text.index("## 8.")]

    assert set(re.findall(r"verdict\.([a-z]+)", section)) == set(FILES)


def test_the_page_about_reports_names_every_form_and_schema() -> None:
    page = DOCS.read_text(encoding="utf-8")

    assert set(re.findall(r"^\| `\.gate/verdict\.([a-z]+)` \|", page, re.MULTILINE)) == set(FILES)
    assert set(re.findall(r"`(src/oraclekeep/schemas/[^`]+)`", page)) == {
        f"src/oraclekeep/schemas/{name}.schema.json" for name in PUBLISHED.values()
    }
    assert all(f"`{name}`" in page for name in PUBLISHED)
