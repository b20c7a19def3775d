"""
From repeats to classes, and two runs compared: the tables of the specification, cell by cell.
"""

from __future__ import annotations

import itertools
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import oraclekeep
from oraclekeep.errors import GateError
from oraclekeep.inventory.classify import compare
from oraclekeep.inventory.report import read_rows
from oraclekeep.lanekit.inventory_classes import CLASSES, class_of
from oraclekeep.model import InventoryClass

#: Where the program under test lies, also for processes that start elsewhere.
ENV = {**os.environ, "PYTHONPATH": str(Path(oraclekeep.__file__).parents[1])}
#: SPEC §5.4, as it stands there.
TABLE = """
| | pass | invariant_miss | noise | fixture_drift | frozen | protocol_error, missing |
| pass | pass | noise | noise | protocol_error | protocol_error | protocol_error |
| invariant_miss | noise | invariant_miss | noise | protocol_error | protocol_error | protocol_error |
| noise | noise | noise | noise | protocol_error | protocol_error | protocol_error |
| fixture_drift | protocol_error | protocol_error | protocol_error | fixture_drift |\
 protocol_error | protocol_error |
| frozen | protocol_error | protocol_error | protocol_error | protocol_error | frozen | protocol_error |
"""


def cells() -> list[tuple[str, str, str]]:
    header, *rows = (
        [cell.strip() for cell in line.strip("|").split("|")] for line in TABLE.strip().splitlines()
    )
    return [
        (first, second, result)
        for first, *results in rows
        for names, result in zip(header[1:], results, strict=True)
        for second in names.split(", ")
    ]


def row(status: str, **more: Any) -> dict[str, Any]:
    return {"prop_id": "p", "status": status, **more}


@pytest.mark.parametrize(("first", "second", "expected"), cells())
def test_two_runs_come_to_what_the_table_says(first: str, second: str, expected: str) -> None:
    (found,) = compare([row(first)], [row(second)])
    (mirrored,) = compare([row(second)], [row(first)])

    assert expected == found.status == mirrored.status
    assert (expected not in ("pass", "frozen")) is found.blocks


def test_every_pair_of_classes_has_a_cell() -> None:
    for first, second in itertools.product((*CLASSES, "missing"), repeat=2):
        assert compare([row(first)], [row(second)])[0].status in InventoryClass


def test_a_property_that_one_run_lacks_is_named() -> None:
    (found,) = compare([row("pass")], [])

    assert (found.status, found.first, found.second) == ("protocol_error", "pass", "missing")
    assert "missing in the second" in found.detail


@pytest.mark.parametrize("key", ["seed", "fixture_sha256"])
def test_runs_of_different_things_are_not_compared(key: str) -> None:
    (found,) = compare([row("pass", **{key: "1"})], [row("pass", **{key: "2"})])
    (unknown,) = compare([row("pass", **{key: "1"})], [row("pass")])

    assert found.status == "protocol_error"
    assert "1 in the first run, 2 in the second" in found.detail
    assert unknown.status == "pass"


@pytest.mark.parametrize(
    ("colours", "expected"),
    [
        (["green", "green"], "pass"),
        (["red", "red"], "invariant_miss"),
        (["red", "green"], "noise"),
        (["green", "green", "red"], "noise"),
        (["green", "error"], "protocol_error"),
        (["red", "error"], "protocol_error"),
        (["red", "green", "error"], "protocol_error"),
        (["blue"], "protocol_error"),
        ([], "protocol_error"),
    ],
)
def test_repeats_come_to_a_class(colours: list[str], expected: str) -> None:
    assert expected == class_of(colours)


# ---------------------------------------------------------------------------------------------- the command


def classify(root: Path, first: object, second: object, *args: str) -> subprocess.CompletedProcess[str]:
    for name, document in (("a.json", first), ("b.json", second)):
        (root / name).write_text(json.dumps(document))
    code = (
        "from invoke import Collection, Program\n"
        "from oraclekeep.commands.inventory import TASKS\n"
        "Program(namespace=Collection(*TASKS)).run()\n"
    )
    argv = (sys.executable, "-c", code, "classify", "a.json", "b.json", *args)
    return subprocess.run(argv, cwd=root, env=ENV, capture_output=True, text=True, check=False)


def test_the_command_reads_runs_and_plain_lists(tmp_path: Path) -> None:
    whole = {
        "schema": "oraclekeep/inventory/1",
        "properties": [row("pass"), {"prop_id": "q", "status": "frozen"}],
    }
    plain = [{"prop_id": "q", "status": "frozen"}, row("pass")]
    done = classify(tmp_path, whole, plain)

    assert done.returncode == 0, done.stderr
    assert done.stdout == "pass    p\nfrozen  q\n"


def test_the_command_says_what_differs(tmp_path: Path) -> None:
    done = classify(tmp_path, [row("pass")], [row("invariant_miss", detail="sample 7")], "--json")

    assert done.returncode == 1
    assert json.loads(done.stdout) == {
        "schema": "oraclekeep/classify/1",
        "properties": [
            {
                "prop_id": "p",
                "status": "noise",
                "first": "pass",
                "second": "invariant_miss",
                "detail": "pass in the first run, invariant_miss in the second; sample 7",
            }
        ],
    }


def test_nothing_to_compare_is_no_agreement(tmp_path: Path) -> None:
    done = classify(tmp_path, [], [])

    assert done.returncode != 0
    assert "hold no property" in done.stderr


#: a file's text, words of the error
UNREADABLE = [
    ("{", "not JSON"),
    ("[" * 100_000, "not JSON"),
    ("7", "neither a run"),
    ('{"schema": "oraclekeep/score/1"}', "the schema is 'oraclekeep/score/1'"),
    ('{"schema": "oraclekeep/inventory/1"}', "neither a run"),
    ("[7]", "row 1: it is not a mapping"),
    ('[{"prop_id": "p"}]', "row 1: the status is None"),
    ('[{"prop_id": "p", "status": "passed"}]', "row 1: the status is 'passed'"),
    ('[{"prop_id": "p", "status": ["pass"]}]', "row 1: the status is ['pass']"),
    ('[{"prop_id": "p", "status": "pass"}, {"prop_id": "p", "status": "pass"}]', "row 2: p stands twice"),
]


@pytest.mark.parametrize(("text", "words"), UNREADABLE)
def test_a_file_that_is_no_run_is_refused(tmp_path: Path, text: str, words: str) -> None:
    path = tmp_path / "a.json"
    path.write_text(text)

    with pytest.raises(GateError, match=re.escape(words)):
        read_rows(path)


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(GateError, match="No such file"):
        read_rows(tmp_path / "a.json")
