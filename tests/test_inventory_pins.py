"""
What a property may bring along: a clock, a freeze, `pending`, a strategy.
"""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING, Any

import pytest

from oraclekeep.inventory import report
from oraclekeep.lanekit.fixtures import file_digest

from .inventory_trees import TODAY, one, prop, run, tree

if TYPE_CHECKING:
    from pathlib import Path

CLOCK = """
import time
from datetime import date, datetime, timezone
def fn(s):
    moment = datetime(2026, 1, 2, 3, 4, 5)
    assert datetime.now(timezone.utc) == moment.replace(tzinfo=timezone.utc)
    assert datetime.utcnow() == datetime.now() == moment
    assert date.today() == date(2026, 1, 2)
    assert type(datetime.today()) is datetime
    assert time.time() == 1767323045 and time.time_ns() == 1767323045 * 10**9
    assert time.clock_gettime(time.CLOCK_REALTIME) == 1767323045
    assert time.strftime("%H:%M") == "03:04" and time.gmtime().tm_year == time.localtime().tm_year == 2026
    assert time.ctime() == time.asctime() == "Fri Jan  2 03:04:05 2026"
    assert time.ctime(0) == "Thu Jan  1 00:00:00 1970"
    begin = time.monotonic()
    time.sleep(0.01)
    assert time.monotonic() > begin
"""


@pytest.mark.parametrize(
    "clock", ["2026-01-02T03:04:05Z", "2026-01-02T03:04:05", "2026-01-02 05:04:05+02:00"]
)
def test_a_property_with_a_clock_runs_at_that_instant(tmp_path: Path, clock: str) -> None:
    row = one(tmp_path, CLOCK, clock=clock)

    assert row["status"] == "pass", row["detail"]


def test_a_module_that_is_imported_by_two_properties_sees_the_clock_of_each(tmp_path: Path) -> None:
    source = (
        "import datetime\nTODAY = datetime.date.today()\n"
        "def fn(s): assert TODAY.year == 2001\n"
        "def other(s): return s\n"
    )
    root = tree(
        tmp_path,
        {"samples.json": "[1]", "src/product.py": source},
        [prop("product.other"), prop("product.fn", clock="2001-01-01")],
    )
    rows = run(root)

    assert [row["status"] for row in rows.values()] == ["protocol_error", "pass"]


NUMPY = "def seed(number): global seeded; seeded = number\n"


@pytest.mark.parametrize("place", ["import numpy\ndef fn(s):\n", "def fn(s):\n    import numpy\n"])
def test_numpy_is_seeded_whenever_it_is_imported(tmp_path: Path, place: str) -> None:
    """
    With a stand-in of its name, since the suite does without the real one.
    """
    files = {"src/numpy/__init__.py": "from . import random\n", "src/numpy/random.py": NUMPY}
    row = one(tmp_path, place + "    assert numpy.random.seeded == 3\n", seed=2**32 + 3, files=files)

    assert row["status"] == "pass", row["detail"]


# ---------------------------------------------------------------------------------------- freezes, pending


def frozen(root: Path, **freeze: Any) -> dict[str, Any]:
    files = {"samples.json": "[1]", "src/product.py": "def fn(s): raise ValueError"}
    row = {
        "property_id": "product.fn", "seed": 1, "fixture": "samples.json", "reason": "flaky",
        "fixture_sha256": file_digest(b"[1]"), "expires_on": dt.date(2026, 12, 1), **freeze,
    }  # fmt: skip
    return run(tree(root, files, [prop("product.fn")], freezes=[row]))["product.fn"]


#: what differs in the freeze, class
FREEZES = [
    ({}, "frozen"),
    ({"expires_on": TODAY}, "invariant_miss"),
    ({"seed": 2}, "invariant_miss"),
    ({"fixture_sha256": "0" * 64}, "invariant_miss"),
]


@pytest.mark.parametrize(("freeze", "expected"), FREEZES)
def test_a_freeze_covers_one_triple_until_its_day(tmp_path: Path, freeze, expected) -> None:
    row = frozen(tmp_path, **freeze)

    assert expected == row["status"]
    assert (expected != "frozen") is row["votes"]
    assert row["repeats"] == ["red", "red"]  # it runs and is reported all the same
    assert "ValueError" in row["detail"]


def test_a_frozen_property_that_stays_green_is_suggested_for_thawing(tmp_path: Path) -> None:
    counting = (
        "import pathlib\nCOUNT = pathlib.Path(__file__).with_name('count')\n"
        "def fn(s):\n    seen = len(COUNT.read_text()) if COUNT.exists() else 0\n"
        "    COUNT.write_text('x' * (seen + 1))\n    assert seen != 4\n"
    )
    found = []
    for name, source in (("calm", "def fn(s): return s"), ("moody", counting)):
        files = {"samples.json": "[1]", "src/product.py": source}
        freeze = {
            "property_id": "product.fn", "seed": 1, "fixture_sha256": file_digest(b"[1]"), "reason": "flaky",
            "expires_on": dt.date(2026, 12, 1),
        }  # fmt: skip
        found.append(run(tree(tmp_path / name, files, [prop("product.fn")], freezes=[freeze]))["product.fn"])

    assert [row["status"] for row in found] == ["frozen", "frozen"]
    assert found[0]["repeats"] == ["green"] * 10
    assert found[0]["detail"] == "frozen until 2026-12-01; this run: pass, green 10 times: the freeze can go"
    assert found[1]["repeats"] == ["green"] * 4 + ["red"]
    assert "this run: noise" in found[1]["detail"]


def test_a_property_without_a_fixture_can_be_frozen(tmp_path: Path) -> None:
    files = {"src/product.py": "def fn(s): raise ValueError", "invariants/strategies.py": STRATEGIES}
    wanted = {**prop("product.fn"), "strategy": "numbers"}
    del wanted["fixture"]
    freeze = {
        "property_id": "product.fn", "seed": 1, "fixture_sha256": file_digest(b""), "reason": "flaky",
        "expires_on": dt.date(2026, 12, 1),
    }  # fmt: skip

    assert run(tree(tmp_path, files, [wanted], freezes=[freeze]))["product.fn"]["status"] == "frozen"


def test_a_pending_property_is_reported_and_does_not_vote(tmp_path: Path) -> None:
    row = one(tmp_path, "def fn(s): raise ValueError", pending=True)

    assert (row["status"], row["votes"]) == ("invariant_miss", False)
    assert not report.blocks(row)


# ------------------------------------------------------------------------------------------------ strategies


STRATEGIES = """
from hypothesis import strategies as st
numbers = st.integers(0, 10**6)
bad = 7
words = st.text(min_size=1)
pairs = st.tuples(st.integers(), st.integers())
def lists():
    return st.lists(st.integers())
"""


def searched(root: Path, source: str, checks: Any = "never_raises", **more: Any) -> dict[str, Any]:
    files = {"src/product.py": source, "invariants/strategies.py": STRATEGIES}
    wanted = {**prop("product.fn", checks), **more}
    del wanted["fixture"]
    return run(tree(root, files, [wanted]))["product.fn"]


def test_a_strategy_finds_the_smallest_sample_that_fails(tmp_path: Path) -> None:
    row = searched(tmp_path, "def fn(s): assert s < 4711", strategy="numbers", examples=300)

    assert row["status"] == "invariant_miss"
    assert "sample 4711:" in row["detail"]
    assert row["detail"].endswith("to keep this sample, give the property a fixture with this line: 4711")


def test_a_kept_sample_is_tried_before_the_strategy(tmp_path: Path) -> None:
    source = "def fn(s): assert s != 123456789"
    files = {
        "src/product.py": source,
        "samples.json": "[5, 123456789]",
        "invariants/strategies.py": STRATEGIES,
    }
    wanted = {**prop("product.fn"), "strategy": "numbers"}
    kept = run(tree(tmp_path / "a", files, [wanted]))["product.fn"]
    lost = run(tree(tmp_path / "b", {**files, "samples.json": "[]"}, [wanted]))["product.fn"]

    assert (kept["status"], lost["status"]) == ("invariant_miss", "pass")


#: strategy, fixture, the end of the detail
KEPT = [
    ("words", "samples.txt", "add this line to samples.txt: 00000"),
    ("words", "samples.json", 'add this line to samples.json: "00000"'),
    ("pairs", "samples.json", "the sample has no form in JSON that a fixture could keep"),
]


@pytest.mark.parametrize(("strategy", "fixture", "end"), KEPT)
def test_the_line_to_keep_fits_the_fixture(tmp_path: Path, strategy: str, fixture: str, end: str) -> None:
    files = {
        "src/product.py": "def fn(s): assert len(s) < (5 if type(s) is str else 2)",
        "samples.json": "[]",
        "samples.txt": "",
        "invariants/strategies.py": STRATEGIES,
    }
    wanted = {**prop("product.fn"), "strategy": strategy, "fixture": fixture}
    row = run(tree(tmp_path, files, [wanted]))["product.fn"]

    assert row["status"] == "invariant_miss"
    assert row["detail"].endswith(end)


def test_the_tree_brings_no_hypothesis_of_its_own(tmp_path: Path) -> None:
    """
    One that tries nothing would turn every strategy green.
    """
    fake = "import types\ndef __getattr__(name): return lambda *_, **__: lambda *_: lambda *_: None\n"
    files = {
        "src/hypothesis.py": fake,
        "src/ctypes.py": "raise SystemExit",
        "src/product.py": "def fn(s): assert 0",
    }
    wanted = {**prop("product.fn"), "strategy": "numbers"}
    del wanted["fixture"]
    row = run(tree(tmp_path, {**files, "invariants/strategies.py": STRATEGIES}, [wanted]))["product.fn"]

    assert row["status"] == "invariant_miss", row["detail"]


def test_a_strategy_may_be_made_by_a_function_and_feed_checks_over_all(tmp_path: Path) -> None:
    assert (
        searched(tmp_path / "a", "def fn(s): return sorted(s)", "idempotent", strategy="lists")["status"]
        == "pass"
    )
    row = searched(tmp_path / "b", "def fn(s): return -s", "monotone", strategy="numbers")
    assert "fn(0) is 0, but fn(1) is -1" in row["detail"]
    assert row["detail"].endswith("this line: 0, 1")


SHOWING = """
import product
def check_own(fn, s):
    try:
        fn(s)
    except AssertionError:
        raise SystemExit(str(product.seen))
"""


def test_the_seed_decides_what_a_strategy_makes(tmp_path: Path) -> None:
    source = "seen = []\ndef fn(s):\n    seen.append(s)\n    assert len(seen) < 20\n"
    check = {"invariants/checks/own.py": SHOWING}
    details = []
    for index, seed in enumerate((1, 1, 2)):
        root = tmp_path / str(index)
        files = {"src/product.py": source, "invariants/strategies.py": STRATEGIES, **check}
        wanted = {**prop("product.fn", "own"), "strategy": "numbers", "seed": seed}
        del wanted["fixture"]
        details.append(run(tree(root, files, [wanted]))["product.fn"]["detail"])

    assert details[0] == details[1] != details[2]


@pytest.mark.parametrize(("strategy", "words"), [("nonesuch", "has no nonesuch"), ("bad", "strategy bad")])
def test_a_strategy_that_is_none_is_a_protocol_error(tmp_path: Path, strategy: str, words: str) -> None:
    row = searched(tmp_path, "def fn(s): return s", strategy=strategy)

    assert row["status"] == "protocol_error"
    assert words in row["detail"]
