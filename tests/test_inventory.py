"""
Running inventories: what the code under test does ends as a class and never as a lost or green one.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import py_compile
import sys
from pathlib import Path
from typing import Any

import pytest

from oraclekeep.lanekit.fixtures import file_digest

from . import hostile as hostile_cases
from .hostile import ALL, CASES, Case
from .inventory_trees import one, prop, run, tree

OWN_ALL = (
    "def check_own_all(fn, sample):\n    found = fn(sample)\n    assert all(one > 90 for one in found)\n"
)


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    """
    All case files in one run, so that each property also runs after all that the others did.
    """
    files = {f"src/{path.name}": path.read_text() for path in CASES.glob("*.py")}
    files["invariants/checks/own_all.py"] = OWN_ALL
    samples = "[[3, 1, 2]]"
    properties = [prop(case.id, case.check, timeout=1 if "1 s" in case.words else 20) for case in ALL]
    root = tree(tmp_path_factory.mktemp("hostile"), files | {"samples.json": samples}, properties)
    return run(root)


@pytest.mark.parametrize("case", ALL, ids=lambda case: case.id)
def test_whatever_the_code_does_ends_as_a_class(case: Case, hostile: dict[str, dict[str, Any]]) -> None:
    """
    The comment above each function names its class, and words of the reason.
    """
    row = hostile[case.id]

    assert case.expected == row["status"], row["detail"]
    assert case.words in row["detail"]


def test_the_page_of_what_may_happen_is_up_to_date() -> None:
    """
    `python -m tests.hostile` writes it anew.
    """
    assert hostile_cases.page() == hostile_cases.PAGE.read_text(encoding="utf-8")


# --------------------------------------------------------------------------------------- one thing at a time


OWN = """
def check_even(fn, sample, limit=10):
    found = fn(sample)
    assert found % 2 == 0 and found < limit
"""
CLOCKED = """
import time
def check_now(fn, sample):
    assert time.time() > fn(sample)
"""
LAZY = """
def check_lazy(fn, sample):
    yield
    assert fn(sample) is None
"""
PLACE = "invariants/checks/own.py"
DOUBLE, SAME, ZERO = ("def fn(s): return " + what for what in ("s * 2", "s", "0"))

#: the owner's check, the function, what `checks` says, class, words
OWN_CHECKS = [
    (OWN, DOUBLE, "even", "pass", ""),
    (OWN, SAME, "even", "invariant_miss", f"assert found % 2 == 0 and found < limit ({PLACE}:4)"),
    (OWN, DOUBLE, {"even": {"limit": 3}}, "invariant_miss", "sample"),
    (OWN, DOUBLE, {"even": {"limits": 3}}, "protocol_error", "its parameters do not fit"),
    (OWN, DOUBLE, "odd", "protocol_error", "there is no check named odd"),
    (OWN, DOUBLE, {"deterministic": {"tims": 3}}, "protocol_error", "its parameters do not fit"),
    (OWN, DOUBLE, {"inverse_of": None}, "protocol_error", "its parameters do not fit"),
    (OWN, "def fn(s): return str(s)", "even", "invariant_miss", "raised TypeError"),
    ("import nonesuch\n" + OWN, DOUBLE, "even", "protocol_error", "can't be imported: ModuleNotFoundError"),
    ("import product\n" + OWN, DOUBLE, "even", "pass", ""),
    (CLOCKED, ZERO, "now", "protocol_error", f"live clock: time.time() at {PLACE}:4"),
    ("def check_says(fn, s): return fn(s) == s + 1", ZERO, "says", "protocol_error", "returned False"),
    ("async def check_late(fn, s): assert fn(s)", ZERO, "late", "protocol_error", "returned <coroutine"),
    (LAZY, ZERO, "lazy", "protocol_error", "returned <generator"),
    ("def check_same(fn, s): assert fn(s) is s", SAME, "same", "pass", ""),
    ("def check_own(fn, s):\n    assert False, 'own words'", SAME, "own", "invariant_miss", "own words"),
]


@pytest.mark.parametrize(("check", "source", "checks", "expected", "words"), OWN_CHECKS)
def test_the_owners_own_checks(tmp_path: Path, check, source, checks, expected, words) -> None:
    row = one(tmp_path, source, checks, files={"invariants/checks/own.py": check})

    assert expected == row["status"], row["detail"]
    assert words in row["detail"]


def test_a_sample_that_changes_under_an_owners_check_is_said(tmp_path: Path) -> None:
    check = "def check_own(fn, sample): assert fn(sample) is None"
    source = "def fn(s): s.append(1)"
    row = one(tmp_path, source, "own", samples="[[]]", files={PLACE: check})

    assert (row["status"], row["detail"]) == ("pass", "the sample changes while check_own runs")


#: what is wrong with a property before it runs: options, class, words
UNFIT = [
    ({"module": "nonesuch"}, "protocol_error", "there is no module nonesuch, neither at base nor here"),
    ({"fn": "nonesuch"}, "protocol_error", "product has no nonesuch, neither at base nor here"),
    ({"fn": "Box.nonesuch"}, "protocol_error", "product.Box has no nonesuch"),
    ({"fn": "Box.double"}, "pass", ""),
    ({"checks": []}, "protocol_error", "no checks; nothing could fail"),
    ({"fixture": "nonesuch.json"}, "fixture_drift", "nonesuch.json: can't be read"),
    ({"clock": "yesterday"}, "protocol_error", "clock"),
]


@pytest.mark.parametrize(("options", "expected", "words"), UNFIT)
def test_a_property_that_can_not_be_judged_says_why(tmp_path: Path, options, expected, words) -> None:
    source = "class Box:\n    @staticmethod\n    def double(s): return s * 2\ndef fn(s): return s\n"
    row = one(tmp_path, source, **{"checks": "never_raises", **options})

    assert expected == row["status"], row["detail"]
    assert words in row["detail"]


#: name, text, what the function sees (None: unreadable), words
FIXTURES = [
    ("a.json", '[1, "x", null]', [1, "x", None], ""),
    ("a.json", "\ufeff[1]", [1], ""),
    ("a.json", '{"a": 1}', None, "dict stands where a JSON list"),
    ("a.json", "[1,", None, "not JSON"),
    ("a.json", "[" * 100_000, None, "nested too deep"),
    ("a.jsonl", '{"a": 1}\n\n2\r\n', [{"a": 1}, 2], ""),
    ("a.jsonl", "1\nx\n", None, "line 2: not JSON"),
    ("a.csv", 'a,b\n1,"x\ny"\n\n3,4\n', [{"a": "1", "b": "x\ny"}, {"a": "3", "b": "4"}], ""),
    ("a.csv", "a,b\n1\n", None, "line 2: 1 fields"),
    ("a.csv", "a,a\n1,2\n", None, "stands twice"),
    ("a.tsv", "a\tb\r\n1\t2\r\n", [{"a": "1", "b": "2"}], ""),
    ("a.txt", "one\n\nthree\r\n", ["one", "", "three"], ""),
]


@pytest.mark.parametrize(("name", "text", "samples", "words"), FIXTURES)
def test_fixtures_of_every_format(tmp_path: Path, name, text, samples, words) -> None:
    """
    The check compares what arrives, in whatever order the seed gives, with what must.
    """
    check = "import product\ndef check_arrives(fn, sample):\n    assert sample in fn(sample)\n"
    files = {
        name: text,
        "src/product.py": f"def fn(s): return {samples!r}\n",
        "invariants/checks/own.py": check,
    }
    row = run(tree(tmp_path, files, [prop("product.fn", "arrives", fixture=name)]))["product.fn"]

    assert ("pass" if samples else "fixture_drift") == row["status"], row["detail"]
    assert words in row["detail"]


@pytest.mark.parametrize("text", ["[]", ""])
def test_a_fixture_without_samples_is_no_pass(tmp_path: Path, text: str) -> None:
    name = "a.json" if text else "a.txt"
    files = {name: text, "src/product.py": "def fn(s): return s"}
    row = run(tree(tmp_path, files, [prop("product.fn", fixture=name)]))["product.fn"]

    assert row["status"] == "protocol_error"
    assert "holds no samples" in row["detail"]


def test_a_fixture_that_is_not_the_locked_one_has_drifted(tmp_path: Path) -> None:
    root = tree(
        tmp_path, {"samples.json": "[1]", "src/product.py": "def fn(s): return s"}, [prop("product.fn")]
    )
    (root / "samples.json").write_text("[2]")
    changed = run(root)["product.fn"]
    (root / "invariants/fixture.lock.json").write_text("{}")
    unlocked = run(root)["product.fn"]

    assert [changed["status"], unlocked["status"]] == ["fixture_drift"] * 2
    assert "the lock says" in changed["detail"]
    assert changed["fixture_sha256"] in unlocked["detail"]


def test_a_canonical_lock_lets_the_order_of_keys_change_and_nothing_else(tmp_path: Path) -> None:
    root = tree(
        tmp_path, {"samples.json": "[1]", "src/product.py": "def fn(s): return s"}, [prop("product.fn")]
    )
    lock = {"sha256": file_digest(b'[{"a": 1, "b": 2}]', "json"), "canonical": "json"}
    (root / "invariants/fixture.lock.json").write_text(json.dumps({"samples.json": lock}))
    found = []
    for text in ('[ {"b":2,"a":1} ]', '[{"a": 1, "b": 3}]', '[{"a": 1, "b": 2, "b": 2}]'):
        (root / "samples.json").write_text(text)
        found.append(run(root)["product.fn"]["status"])

    assert found == ["pass", "fixture_drift", "fixture_drift"]


def test_a_fixture_in_a_locked_tree_needs_no_lock_of_its_own(tmp_path: Path) -> None:
    name = "tests/fixtures/a.json"
    root = tree(
        tmp_path, {name: "[1]", "src/product.py": "def fn(s): return s"}, [prop("product.fn", fixture=name)]
    )
    (root / "invariants/fixture.lock.json").write_text("{}")
    digest = hashlib.sha256(b"a.json\0[1]\0").hexdigest()
    (root / "oracle/fixtures.lock").write_text(f"{digest}\n")
    held = run(root)["product.fn"]["status"]
    (root / name).write_text("[2]")

    assert held == "pass"
    assert run(root)["product.fn"]["status"] == "fixture_drift"


def test_a_property_can_not_change_what_the_next_one_gets(tmp_path: Path) -> None:
    """
    Fixtures and checks are read before the first property runs.
    """
    source = (
        "import pathlib\n"
        "def spoil(s):\n"
        "    pathlib.Path('samples.json').write_text('[0]')\n"
        "    pathlib.Path('invariants/checks/own.py').write_text('def check_own(fn, s): pass')\n"
        "    import json, builtins\n"
        "    json.loads = builtins.repr = None\n"
        "def fn(s): return s\n"
    )
    check = "def check_own(fn, sample):\n    assert fn(sample) == 0\n"
    files = {"samples.json": "[7]", "src/product.py": source, "invariants/checks/own.py": check}
    rows = run(tree(tmp_path, files, [prop("product.spoil"), prop("product.fn", "own")]))

    assert rows["product.fn"]["status"] == "invariant_miss"
    assert "sample 7" in rows["product.fn"]["detail"]


def test_samples_come_in_an_order_given_by_the_seed(tmp_path: Path) -> None:
    source = "seen = []\ndef fn(s):\n    seen.append(s)\n    assert len(seen) < 6, seen\n"
    details = [
        one(tmp_path / str(index), source, samples="[1, 2, 3, 4, 5, 6]", seed=seed)["detail"]
        for index, seed in enumerate((1, 1, 2))
    ]

    assert details[0] == details[1] != details[2]


def test_what_leaves_no_trace_is_not_told(tmp_path: Path) -> None:
    """
    Temporary files, databases in memory, bytecode, and what the kit does itself.
    """
    source = (
        "import helper, os, sqlite3, tempfile\n"
        "def fn(s):\n"
        "    sqlite3.connect(':memory:').close()\n"
        "    with tempfile.NamedTemporaryFile() as file, open(os.devnull, 'w'): file.write(b'x')\n"
    )
    row = one(tmp_path, source, files={"src/helper.py": ""})

    assert (row["status"], row["detail"]) == ("pass", "")


def test_two_repeats_are_two_processes_under_the_same_pins(tmp_path: Path) -> None:
    source = (
        "import os, random, time\n"
        "def fn(s):\n"
        "    names = ('PYTHONHASHSEED', 'TZ', 'LC_ALL')\n"
        "    with open('log', 'a') as file:\n"
        "        print(*(os.environ[n] for n in names), random.random(), hash('x'), {'a', 'b', 'c'},\n"
        "              time.tzname, 'SECRET' in os.environ, 'oraclekeep-' in os.environ['HOME'], file=file)\n"
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SECRET", "x")
        patch.setenv("PYTHONHASHSEED", "3")
        row = one(tmp_path, source, samples="[1]")
    first, second = (tmp_path / "log").read_text().splitlines()

    assert row["status"] == "pass"
    assert first == second
    assert first.startswith("0 UTC C.UTF-8")
    assert first.endswith("('UTC', 'UTC') False True")


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux hands over what a process leaves behind")
def test_what_a_property_leaves_behind_is_ended(tmp_path: Path) -> None:
    source = (
        "import os, pathlib, time\n"
        "def fn(s):\n"
        "    child = os.fork()\n"
        "    if child == 0:\n"
        "        os.setsid()\n"
        "        if os.fork() == 0:\n"
        "            pathlib.Path('left').write_text(str(os.getpid()))\n"
        "            time.sleep(60)\n"
        "        os._exit(0)\n"
        "    os.waitpid(child, 0)\n"
        "    while not pathlib.Path('left').exists(): pass\n"
    )
    row = one(tmp_path, source, samples="[1]", options={"repeats": 1})

    assert row["status"] == "pass", row["detail"]
    assert not Path("/proc", (tmp_path / "left").read_text()).exists()


def test_the_tree_is_left_as_it_was(tmp_path: Path) -> None:
    one(tmp_path, "import package\ndef fn(s): return s", files={"src/package/__init__.py": ""})

    assert not [*tmp_path.rglob("*.pyc")]


def test_bytecode_in_the_tree_is_not_run(tmp_path: Path) -> None:
    """
    Unchecked bytecode says nothing about the source beside it.
    """
    (tmp_path / "lie.py").write_text("def fn(s): return s\n")
    root = tree(
        tmp_path,
        {"samples.json": "[1]", "src/product.py": "def fn(s): raise ValueError\n"},
        [prop("product.fn")],
    )
    py_compile.compile(
        str(tmp_path / "lie.py"),
        cfile=importlib.util.cache_from_source(str(root / "src/product.py")),
        dfile=str(root / "src/product.py"),
        invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH,
    )

    assert run(root)["product.fn"]["status"] == "invariant_miss"
