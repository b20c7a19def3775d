"""
What flips a property: found by replaying it under variations, and shown again by the command that is named.
"""

from __future__ import annotations

import os
import shlex
from typing import TYPE_CHECKING, Any

import pytest

from .inventory_trees import prop, run, tree
from .program import run as program

if TYPE_CHECKING:
    from pathlib import Path

SOURCE = """
import locale, os, threading, time
seen = []

def hash_seed(s): assert os.environ["PYTHONHASHSEED"] == "0"
def clock(s): assert time.gmtime().tm_year == 2026
def locale_(s): assert locale.getpreferredencoding(False).lower() == "utf-8"
def timezone(s): assert time.localtime(0).tm_hour == 0
def cpus(s): assert len(os.sched_getaffinity(0)) > 1
def home(s): assert " " not in os.environ["HOME"]
def folder(s): assert os.path.exists("src")
def steady(s): return s

def order(s):
    seen.append(s)
    assert seen.index(1) < seen.index(2) if 1 in seen and 2 in seen else True

def umask(s):
    now = os.umask(0)
    os.umask(now)
    assert now == 0o022
"""
NAMES = ("hash_seed", "clock", "locale_", "timezone", "cpus", "home", "folder", "order", "umask", "steady")
#: what each is flipped by
EXPECTED = {
    "hash_seed": "hash-seed=1", "clock": "clock=2000-02-29T23:59:59Z", "locale_": "locale=ascii",
    "timezone": "timezone=KIT-05:45", "cpus": "cpus=1", "home": "home=a home with blanks \u00e9",
    "folder": "folder=fresh", "order": "order=reversed", "umask": "umask=000", "steady": "",
}  # fmt: skip


@pytest.fixture(scope="module")
def moody(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    root = tree(
        tmp_path_factory.mktemp("moody"),
        {"src/product.py": SOURCE, "samples.json": "[1, 2]"},
        [prop(f"product.{name}", **({"clock": "2026-01-01"} if name == "clock" else {})) for name in NAMES],
    )
    before = os.umask(0o022)
    try:
        return root, run(root, diagnose=True)
    finally:
        os.umask(before)


@pytest.mark.parametrize("name", NAMES)
def test_what_flips_a_property_is_found(moody: tuple[Path, dict[str, Any]], name: str) -> None:
    if name == "cpus" and not (hasattr(os, "sched_getaffinity") and len(os.sched_getaffinity(0)) > 1):
        pytest.skip("there is one CPU")
    row = moody[1][f"product.{name}"]
    flips = [flip["vary"] for flip in row["diagnosis"]["flips"]]

    assert flips == [EXPECTED[name]] if EXPECTED[name] else not flips
    assert ("it turns" in row["detail"]) is bool(EXPECTED[name])
    assert ("clock" in row["diagnosis"]["tried"]) is (name == "clock")


def test_the_command_that_is_named_shows_it_again(moody: tuple[Path, dict[str, Any]]) -> None:
    root, rows = moody
    for name in ("hash_seed", "home"):
        _, task, *words = shlex.split(rows[f"product.{name}"]["diagnosis"]["flips"][0]["command"])
        answer = program(root, *words, task=task)

        assert (answer.code, "invariant_miss" in answer.out) == (1, True), answer.err


WOBBLES = """
import os, pathlib
COUNT = pathlib.Path(__file__).with_suffix(".count")

def fn(s):
    number = len(COUNT.read_text()) if COUNT.exists() else 0
    COUNT.write_text("x" * (number + 1))
    assert {} or number % 2
"""


def test_noise_is_replayed_without_being_asked_for(tmp_path: Path) -> None:
    """
    One property that a variation steadies, and one that nothing does.
    """
    found = []
    for index, condition in enumerate(("os.environ['TZ'] != 'UTC'", "False")):
        files = {"samples.json": "[1]", "src/product.py": WOBBLES.format(condition)}
        found.append(run(tree(tmp_path / str(index), files, [prop("product.fn")]))["product.fn"])

    assert [row["status"] for row in found] == ["noise", "noise"]
    assert "it is always green with timezone=KIT-05:45: it depends on the time zone" in found[0]["detail"]
    assert [flip["vary"] for flip in found[0]["diagnosis"]["flips"]] == ["timezone=KIT-05:45"]
    assert "explains it: look for threads" in found[1]["detail"]


#: words, what is wrong
NONSENSE = [
    (("--vary", "moon=full"), "names are hash-seed, clock"),
    (("--vary", "umask=9"), "write it like umask=000"),
    (("--vary", "cpus=all"), "write it like cpus=1"),
    (("--diagnose", "--repeat", "1"), "needs 2 repeats"),
]


@pytest.mark.parametrize(("words", "wrong"), NONSENSE)
def test_a_variation_that_makes_no_sense_is_refused(tmp_path: Path, words, wrong: str) -> None:
    answer = program(tmp_path, *words, task="inventory")

    assert answer.code == 2
    assert wrong in answer.err
