"""
The legal exits and their abuse: allowances, intent, announced bytes, retired checks, adoption, neutral paths.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import json
from typing import TYPE_CHECKING, Any, Final

import pytest
from tests.branches import Sides, write_branches

from oraclekeep.pipeline import Request, score
from oraclekeep.reports.scoring import document

if TYPE_CHECKING:
    from pathlib import Path

TODAY: Final = dt.date(2024, 6, 1)
INTENT: Final = "oracle/intent.json"
CORE: Final = "src/shop/core.py"
EXTRA: Final = "src/shop/extra.py"
TESTS: Final = "tests/test_shop.py"
OTHER: Final = "tests/test_other.py"
CODE: Final = """\
def price(count):
    return count * 2


def total(items):
    return sum(items)


class Cart:
    def size(self):
        return 0
"""
TEST: Final = """\
from shop.core import Cart, price, total


def test_price():
    assert price(2) == 4


def test_total():
    assert total([1, 2]) == 3


def test_size():
    assert Cart().size() == 0
"""
FRAME: Final = {
    "pyproject.toml": '[project]\nname = "shop"\nversion = "1"\n',
    "src/shop/__init__.py": "",
    CORE: CODE,
    EXTRA: "def round_up(value):\n    return value + 1\n",
    TESTS: TEST,
    OTHER: "from shop.extra import round_up\n\n\ndef test_up():\n    assert round_up(1) == 2\n",
    "oracle/weights.json": "{}\n",
}
WITHOUT: Final = {TESTS: TEST.replace("    assert price(2) == 4\n", "    price(2)\n")}
WITHOUT_TWO: Final = {TESTS: WITHOUT[TESTS].replace("    assert total([1, 2]) == 3\n", "    total([1, 2])\n")}
REWRITTEN: Final = {TESTS: TEST.replace("price(2) == 4", "price(2) == 6")}
FASTER: Final = {CORE: CODE.replace("count * 2", "count * 3")}


def intent(**keys: object) -> dict[str, str]:
    return {INTENT: json.dumps(keys)}


def allowance(**keys: str) -> dict[str, str]:
    row = {
        "row": "oracle-removed",
        "issue": "SHOP-1",
        "reason": "told elsewhere",
        "expires": "2024-06-02",
        **keys,
    }
    return intent(allowances=[row])


PRICE: Final = f"{TESTS}::test_price"
GONE: Final = {"oracle-removed"}
NEW: Final = {"expectation-rewritten"}

#: name -> what base has besides, what head changes, the rows that reject
ALLOWANCES: Final = {
    "none": ({}, WITHOUT, GONE),
    "for the test": (allowance(nodeid=PRICE), WITHOUT, set()),
    "for its file": (allowance(path=TESTS), WITHOUT, set()),
    "for all of one row in its file": (allowance(path=TESTS), WITHOUT_TWO, set()),
    "for one test of two": (allowance(nodeid=PRICE), WITHOUT_TWO, GONE),
    "for another test": (allowance(nodeid=f"{TESTS}::test_total"), WITHOUT, GONE),
    "for a longer name": (allowance(nodeid=f"{PRICE}s"), WITHOUT, GONE),
    "for another file": (allowance(path=OTHER), WITHOUT, GONE),
    "for the folder of the file": (allowance(path="tests/"), WITHOUT, GONE),
    "for another row": (allowance(nodeid=PRICE, row="oracle-weakened"), WITHOUT, GONE),
    "of a property by that name": (allowance(property="test_price"), WITHOUT, GONE),
    "that ends today": (allowance(nodeid=PRICE, expires="2024-06-01"), WITHOUT, GONE),
    "that lapsed": (allowance(nodeid=PRICE, expires="2023-01-01"), WITHOUT, GONE),
    "that the patch brings itself": ({}, {**WITHOUT, **allowance(nodeid=PRICE)}, {*GONE, "write-set"}),
    "that the patch prolongs": (
        allowance(nodeid=PRICE, expires="2024-01-01"),
        {**WITHOUT, **allowance(nodeid=PRICE)},
        {*GONE, "write-set"},
    ),
    "for one loss beside another": (
        allowance(nodeid=PRICE),
        {TESTS: WITHOUT[TESTS].replace("total([1, 2]) == 3", "total([1, 2])")},
        {"oracle-weakened"},
    ),
    "for a test that goes": (
        allowance(nodeid=PRICE, row="test-lost"),
        {TESTS: TEST.replace("def test_price():\n    assert price(2) == 4\n\n\n", "")},
        set(),
    ),
    "for a skip": (
        allowance(nodeid=PRICE, row="skip-outside-quarantine"),
        {
            TESTS: TEST.replace("def test_price", "@pytest.mark.skip\ndef test_price").replace(
                "from", "import pytest\nfrom", 1
            )
        },
        set(),
    ),
}


def listed(*entries: object) -> dict[str, str]:
    return intent(allow_behavior_change=entries)


LEFT: Final = {"path": CORE, "issue": "SHOP-2", "expires": "2024-06-02"}
BOTH: Final = {**FASTER, EXTRA: "def round_up(value):\n    return value + 2\n", **REWRITTEN}
INTENTS: Final = {
    "nothing": ({}, {**FASTER, **REWRITTEN}, NEW),
    "the module": (listed(CORE), {**FASTER, **REWRITTEN}, set()),
    "its folder": (listed("src/shop/"), {**FASTER, **REWRITTEN}, set()),
    "its folder without a slash": (listed("src/shop"), {**FASTER, **REWRITTEN}, NEW),
    "the beginning of its name": (listed("src/shop/co"), {**FASTER, **REWRITTEN}, NEW),
    "another module": (listed(EXTRA), {**FASTER, **REWRITTEN}, NEW),
    "one of two that changed": (listed(CORE), BOTH, NEW),
    "both that changed": (listed(CORE, EXTRA), BOTH, set()),
    "for a while": (listed(LEFT), {**FASTER, **REWRITTEN}, set()),
    "until today": (listed({**LEFT, "expires": "2024-06-01"}), {**FASTER, **REWRITTEN}, NEW),
    "by the patch itself": ({}, {**FASTER, **REWRITTEN, **listed(CORE)}, {*NEW, "write-set"}),
    "no code changes, the module is the one asked": (listed(CORE), REWRITTEN, set()),
    "no code changes, another is listed": (listed(EXTRA), REWRITTEN, NEW),
    "a check may not go": (listed("src/"), {**FASTER, **WITHOUT}, GONE),
    "the tests are no behaviour": (listed("tests/"), REWRITTEN, NEW),
}

NO_PRICE: Final = {CORE: CODE[CODE.index("def total") :]}
NO_SIZE: Final = {CORE: CODE.replace("    def size(self):\n        return 0\n", "    pass\n")}
NO_TEST: Final = {TESTS: TEST.replace("def test_price():\n    assert price(2) == 4\n\n\n", "")}
NO_SIZE_TEST: Final = {TESTS: TEST[: TEST.index("\n\ndef test_size")]}
BARE: Final = NO_TEST[TESTS][: NO_TEST[TESTS].index("\n\ndef test_size")]
RETIRED: Final = {
    "with its function, listed": (listed(CORE), {**NO_PRICE, **NO_TEST}, set()),
    "with its method, listed": (listed(CORE), {**NO_SIZE, **NO_SIZE_TEST}, set()),
    "with its function, not listed": ({}, {**NO_PRICE, **NO_TEST}, {"test-lost"}),
    "with its function, another listed": (listed(EXTRA), {**NO_PRICE, **NO_TEST}, {"test-lost"}),
    "the function stays": (listed(CORE), {**FASTER, **NO_TEST}, {"test-lost"}),
    "another function goes": (listed(CORE), {**NO_SIZE, TESTS: BARE}, {"test-lost"}),
    "the function moves": (
        listed("src/"),
        {**NO_PRICE, **NO_TEST, EXTRA: FRAME[EXTRA] + CODE[: CODE.index("def total")]},
        {"test-lost"},
    ),
    "the function gets another name": (
        listed(CORE),
        {CORE: CODE.replace("price", "cost"), **NO_TEST},
        {"test-lost"},
    ),
    "a namesake of another module goes": (
        listed(EXTRA) | {EXTRA: "def price(value):\n    return value\n", OTHER: "X = 1\n"},
        {EXTRA: "Y = 1\n", **NO_TEST},
        {"test-lost"},
    ),
}

DATA: Final = "tests/fixtures/s.txt"


def tree_digest(text: str) -> str:
    return hashlib.sha256(b"s.txt\0" + text.encode() + b"\0").hexdigest()


FROZEN: Final = {DATA: "one\n", "oracle/fixtures.lock": tree_digest("one\n") + "\n"}


def announced(text: str) -> dict[str, str]:
    note = {"tree": "tests/fixtures", "digest": tree_digest(text), "reason": "two came"}
    return {**FROZEN, **intent(fixture_changes=[note])}


ANNOUNCED: Final = {
    "exactly these bytes": (announced("two\n"), {DATA: "two\n", **FASTER}, set()),
    "other bytes": (announced("two\n"), {DATA: "2\n", **FASTER}, {"fixture-drift", "write-set"}),
    "these bytes and one file more": (
        announced("two\n"),
        {DATA: "two\n", "tests/fixtures/t.txt": "t\n", **FASTER},
        {"fixture-drift", "write-set"},
    ),
    "nothing is announced": (FROZEN, {DATA: "two\n", **FASTER}, {"fixture-drift", "write-set"}),
    "the patch announces": (
        FROZEN,
        {DATA: "two\n", **FASTER, INTENT: announced("two\n")[INTENT]},
        {"fixture-drift", "write-set"},
    ),
    "these bytes, and a check goes": (announced("two\n"), {DATA: "two\n", **WITHOUT}, GONE),
}

FIRST: Final = {
    **listed("src/"),
    "oracle/weights.json": '{"expectation_rewritten": 0, "assert_removed": 0}',
}
UNADOPTED: Final = {"oracle/weights.json": None}
ADOPTION: Final = {
    "alone": (UNADOPTED, FIRST, set()),
    "with code": (UNADOPTED, {**FIRST, **FASTER}, set()),
    "with its own intent for what it rewrites": (UNADOPTED, {**FIRST, **FASTER, **REWRITTEN}, NEW),
    "with weights of its own for what it drops": (UNADOPTED, {**FIRST, **WITHOUT}, GONE),
    "with its own allowance": (UNADOPTED, {**FIRST, **allowance(nodeid=PRICE), **WITHOUT}, GONE),
}
NEUTRAL: Final = {
    "with code": ({}, {**FASTER, "README.md": "Shop\n", "docs/use.md": "Use\n"}, set()),
    "with policy": ({}, {**listed(CORE), "README.md": "Shop\n", "CHANGELOG.md": "New\n"}, set()),
    "with both": ({}, {**listed(CORE), **FASTER, "README.md": "Shop\n"}, {"write-set"}),
    "a test under docs is a test": (
        {"docs/test_use.py": FRAME[OTHER]},
        {"docs/test_use.py": FRAME[OTHER].replace("assert", "print()  #"), **listed(CORE)},
        GONE,
    ),
}
PLANS: Final = {
    "allowance": ALLOWANCES,
    "intent": INTENTS,
    "retired": RETIRED,
    "announced": ANNOUNCED,
    "adoption": ADOPTION,
    "neutral": NEUTRAL,
}
PATCHES: Final = {
    f"{plan} {name}": patch for plan, patches in PLANS.items() for name, patch in patches.items()
}


def branch(name: str) -> str:
    return name.replace(" ", "-").replace(",", "")


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """
    One repository with two branches for each patch.
    """
    sides = {}
    for name, (extra, changes, _) in PATCHES.items():
        base = {**FRAME, **extra}
        files = [
            {path: text.encode() for path, text in tree.items() if text is not None}
            for tree in (base, {**base, **changes})
        ]
        sides[branch(name)] = Sides(*files)
    root = tmp_path_factory.mktemp("exits")
    write_branches(root, sides)
    return root


def judged(repository: Path, name: str) -> dict[str, Any]:
    place = branch(name)
    return document(score(Request(repository, TODAY, f"{place}/base", f"{place}/head")))


@pytest.mark.parametrize("name", PATCHES)
def test_an_exit_opens_for_what_it_names_and_for_nothing_else(name: str, repository: Path) -> None:
    """
    What base's owner wrote excuses exactly that; what the patch wrote excuses nothing.
    """
    doc = judged(repository, name)

    assert PATCHES[name][2] == {one["rule"] for one in doc["findings"] if one["gate"] == "reject"}


def test_what_an_allowance_lets_go_is_still_told(repository: Path) -> None:
    """
    The finding stays in the report, costs nothing, and names the owner's issue and reason.
    """
    doc = judged(repository, "allowance for the test")

    assert [
        (one["rule"], one["test"], one["points"], one["gate"], one["allowed_by"])
        for one in doc["findings"]
        if one["rule"] == "oracle-removed"
    ] == [("oracle-removed", PRICE, 0, "note", "SHOP-1: told elsewhere")]


@pytest.mark.parametrize(
    ("name", "row"),
    [
        ("intent by the patch itself", "policy-loosened"),
        ("adoption with weights of its own for what it drops", "adoption"),
        ("neutral with policy", "policy-loosened"),
    ],
)
def test_what_a_reader_must_see_comes_first(name: str, row: str, repository: Path) -> None:
    """
    A looser policy and a first policy stand before everything else, whatever else is wrong.
    """
    assert row == judged(repository, name)["findings"][0]["rule"]


@pytest.mark.parametrize(
    "name", [name for name in PATCHES if name.startswith("retired") and not PATCHES[name][2]]
)
def test_a_retired_check_is_told(name: str, repository: Path) -> None:
    """
    A check that went with its subject is named, and costs nothing.
    """
    assert "oracle-retired" in {one["rule"] for one in judged(repository, name)["findings"]}
