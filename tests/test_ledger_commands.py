"""
`freeze` and `expiry`, through the real program; and quarantine rows that no longer cover a test.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

import pytest
import yaml

from oraclekeep.errors import ConfigError
from oraclekeep.lanekit.fixtures import file_digest
from oraclekeep.policy.yaml_editing import append_rows

from .inventory_trees import prop, run, tree
from .program import run as program

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

HEAD = "# ours\nversion: 1\nproperties: []\n"
ROWS = [{"a": "x y", "b": 2, "c": ["red", "green"], "d": "2026-12-01"}]

#: the text, what stands below `freezes` then, a part of the new text
EDITED = [
    (f"{HEAD}freezes:\n", 1, 'freezes:\n  - a: "x y"\n    b: 2\n    c: [red, green]\n    d: 2026-12-01\n'),
    (HEAD, 1, "properties: []\nfreezes:\n  - a"),
    (HEAD.rstrip(), 1, "properties: []\nfreezes:\n  - a"),
    (f"{HEAD}freezes: []  # none yet\n", 1, "freezes:  # none yet\n  - a"),
    (f"{HEAD}freezes: null\n", 1, "freezes:\n  - a"),
    (f"{HEAD}freezes:\n- a: 1  # why\n  b: 2\n\n# the end\n", 2, '  b: 2\n- a: "x y"\n  b: 2\n'),
    (f"{HEAD}freezes:\n    - a: 1\n", 2, '    - a: 1\n    - a: "x y"\n      b'),
    ("freezes:\n  - a: 1\n# about them\n" + HEAD, 2, "    d: 2026-12-01\n# about them\n# ours\nversion: 1"),
    (HEAD.replace("\n", "\r\n") + "freezes:\r\n", 1, 'freezes:\r\n  - a: "x y"\r\n'),
]


@pytest.mark.parametrize(("text", "rows", "part"), EDITED)
def test_rows_are_added_and_all_else_stays(text: str, rows: int, part: str) -> None:
    found = append_rows("x.yaml", text, "freezes", ROWS)
    read = yaml.safe_load(found)

    assert len(read["freezes"]) == rows
    assert {**read["freezes"][-1], "d": str(read["freezes"][-1]["d"])} == ROWS[0]
    assert part in found
    assert {"version": 1, "properties": []}.items() <= read.items()


def test_a_list_in_one_line_is_left_to_its_owner() -> None:
    with pytest.raises(ConfigError, match=r"x\.yaml:4: freezes is written in one line"):
        append_rows("x.yaml", f"{HEAD}freezes: [{{a: 1}}]\n", "freezes", ROWS)


# ------------------------------------------------------------------------------------------- the program


WOBBLY = (
    "import pathlib\nCOUNT = pathlib.Path(__file__).with_suffix('.count')\n"
    "def fn(s):\n    number = len(COUNT.read_text()) if COUNT.exists() else 0\n"
    "    COUNT.write_text('x' * (number + 1))\n    assert number % 2\n"
)


RUN: Final = ".gate/evidence/inventory.json"


def two_properties(root: Path) -> Path:
    files = {
        "samples.json": "[1]",
        "src/product.py": WOBBLY,
        "src/calm.py": "def fn(s): return s\n",
        ".gitignore": ".gate\n*.count\n",
    }
    return tree(root, files, [prop("product.fn"), prop("calm.fn")])


@pytest.fixture(scope="module")
def last_run(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """
    What a run of both properties leaves; one run serves all tests.
    """
    root = two_properties(tmp_path_factory.mktemp("wobbly"))
    assert program(root, "--json", RUN, task="inventory").code == 1
    return (root / RUN).read_bytes()


@pytest.fixture
def wobbly(make_repo: Callable[..., Any], last_run: bytes) -> Path:
    """
    A repository with a noisy property, one that passes, and a run of both.
    """
    repo = make_repo()
    two_properties(repo.root)
    repo.commit()
    (repo.root / RUN).parent.mkdir(parents=True)
    (repo.root / RUN).write_bytes(last_run)
    return repo.root


def freeze(root: Path, *words: str, expires: str = "2026-12-24") -> Any:
    options = ("--reason", "flaky: see 4", "--expires", expires, "--today", "2026-11-30")
    return program(root, *words, *options, task="freeze")


def test_a_freeze_takes_digest_and_repeats_from_the_last_run(wobbly: Path) -> None:
    answer = freeze(wobbly, "product.fn", "--json")
    row = answer.document["row"]
    text = (wobbly / "invariants/inventory.yaml").read_text()

    assert answer.code == 0, answer.err
    assert row["fixture_sha256"] == file_digest(b"[1]")
    assert row["repeats"] == ["red", "green"]
    assert "git add -- invariants/inventory.yaml" in answer.document["commands"][0]
    assert yaml.safe_load(text)["freezes"][0]["reason"] == "flaky: see 4"
    assert run(wobbly)["product.fn"]["status"] == "frozen"


#: words, the day, what is wrong
NONSENSE = [
    (("calm.fn",), "2026-12-24", "it passes; there is nothing to freeze"),
    (("nonesuch",), "2026-12-24", "names no property"),
    (("product.fn",), "2026-11-30", "that day has come"),
    (("product.fn",), "2028-11-30", "beyond the horizon of 365 days"),
    (("product.fn",), "soon", "--expires 'soon' is not a date"),
    (("product.fn", "--points", "4"), "2026-12-24", "would overdraw"),
    (("product.fn", "--points", "0"), "2026-12-24", "costs at least 1"),
    (("product.fn", "--run", "nonesuch.json"), "2026-12-24", "nonesuch.json"),
]


@pytest.mark.parametrize(("words", "expires", "wrong"), NONSENSE)
def test_a_freeze_that_makes_no_sense_is_refused(wobbly: Path, words, expires, wrong) -> None:
    before = (wobbly / "invariants/inventory.yaml").read_text()
    answer = freeze(wobbly, *words, expires=expires)

    assert answer.code == 2
    assert wrong in answer.err
    assert (wobbly / "invariants/inventory.yaml").read_text() == before


def test_a_freeze_of_other_bytes_and_a_second_one_are_refused(wobbly: Path) -> None:
    assert freeze(wobbly, "product.fn").code == 0
    again = freeze(wobbly, "product.fn")
    (wobbly / "samples.json").write_text("[2]")
    changed = freeze(wobbly, "product.fn")

    assert (again.code, changed.code) == (2, 2)
    assert "is frozen until 2026-12-24 already" in again.err
    assert "another seed or fixture" in changed.err


def test_expiry_lists_what_lapses_and_fails_while_something_has(
    wobbly: Path, make_repo: Callable[..., Any]
) -> None:
    """
    One row of each kind, read from the commit on several days.
    """
    freeze(wobbly, "product.fn")
    rows = [
        {
            "nodeid": "tests/test_a.py::test_a",
            "issue": "#1",
            "expires": "2026-12-10",
            "reason": "x",
            "owner": "ada",
        },
        {"nodeid": "tests/test_a.py::test_gone", "issue": "#2", "expires": "2027-01-10", "reason": "x"},
    ]
    (wobbly / "oracle/quarantine.json").write_text(json.dumps({"items": rows}))
    (wobbly / "tests").mkdir()
    (wobbly / "tests/test_a.py").write_text("def test_a(): assert 1\ndef test_gone(): assert 1\n")
    git(wobbly, "add", "-A")
    git(wobbly, "commit", "-q", "-m", "rows")
    calm, soon = (
        program(wobbly, "--within", days, "--today", "2026-12-01", task="expiry") for days in ("3", "14")
    )
    strict = [
        program(wobbly, "--strict", "--within", days, "--today", "2026-12-01", task="expiry").code
        for days in ("3", "14")
    ]
    late = program(wobbly, "--json", "--today", "2026-12-24", task="expiry")
    (wobbly / "tests/test_a.py").write_text("def test_a(): assert 1\n")
    git(wobbly, "commit", "-qam", "gone")
    gone = program(wobbly, "--today", "2026-12-01", task="expiry")

    assert (calm.code, soon.code, late.code, gone.code) == (0, 0, 1, 1)
    assert strict == [0, 1]
    assert "soon" not in calm.out
    assert (
        "soon    oracle/quarantine.json:1  tests/test_a.py::test_a  ends on 2026-12-10, in 9 days (#1, ada)"
        in soon.out
    )
    assert "3 rows, 3 of 3 points used" in soon.out
    assert [(row["test"], row["state"]) for row in late.document["rows"]] == [
        ("tests/test_a.py::test_a", "lapsed"),
        ("product.fn", "lapsed"),
        ("tests/test_a.py::test_gone", "live"),
    ]
    assert "lapsed  oracle/quarantine.json:1  tests/test_a.py::test_gone  the row names" in gone.out


def test_expiry_suggests_what_can_thaw(wobbly: Path) -> None:
    freeze(wobbly, "product.fn")
    git(wobbly, "commit", "-qam", "frozen")
    rows = [{"prop_id": "product.fn", "status": "frozen", "seed": 1, "fixture_sha256": file_digest(b"[1]")}]
    for number, repeats in enumerate((["green"] * 6, ["green"] * 6)):
        (wobbly / f"run{number}.json").write_text(json.dumps([{**rows[0], "repeats": repeats}]))
    (wobbly / "red.json").write_text(json.dumps([{**rows[0], "repeats": ["red"]}]))
    answers = [
        program(
            wobbly,
            *(word for name in names for word in ("--runs", name)),
            "--today",
            "2026-12-01",
            task="expiry",
        )
        for names in (["run*.json"], ["run0.json"], ["*.json"])
    ]

    assert ["green 12 times and never red" in answer.out for answer in answers] == [True, False, False]


def git(root: Path, *words: str) -> None:
    import subprocess  # noqa: PLC0415  # here alone

    subprocess.run(("git", *words), cwd=root, check=True)


# ------------------------------------------------------------------------------------------- changed tests


FLAKY = "def test_flaky():\n    assert 1\n\n\ndef test_other():\n    assert 1\n"

#: what the patch makes of the file, whether the quarantine still covers the test
CHANGED = [
    (FLAKY.replace("def test_other():\n    assert 1", "def test_other():\n    assert 2 > 1"), True),
    ("# moved down\n" + FLAKY, True),
    (FLAKY.replace("assert 1", "assert 1 == 1", 1), False),
    ("import pytest\n\n\n@pytest.mark.slow\n" + FLAKY, False),
    (FLAKY.replace("def test_flaky():\n    assert 1\n", ""), False),
]


@pytest.mark.parametrize(("text", "covered"), CHANGED)
def test_a_quarantined_test_that_the_patch_changes_votes_again(
    make_repo: Callable[..., Any], text, covered
) -> None:
    repo = make_repo()
    nodeid = "tests/test_a.py::test_flaky"
    row = {"nodeid": nodeid, "issue": "#1", "expires": "2026-12-10", "reason": "x"}
    repo.commit({"oracle/quarantine.json": json.dumps({"items": [row]}), "tests/test_a.py": FLAKY})
    repo.commit({"tests/test_a.py": text})
    answer = program(repo.root, "--base", "HEAD~1", "--today", "2026-12-01", "--json", task="prepare")
    suite = answer.document["lanes"]["suite"]

    assert (suite["quarantine"], suite["quarantine_changed"]) == (
        ([nodeid], []) if covered else ([], [nodeid])
    )
