"""
Known faults: how they are read and planted, and what a real run says of properties.
"""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from oraclekeep.judging import judge_run
from oraclekeep.lanekit.faults import FaultError, is_fault, planted, read_fault
from oraclekeep.liveness import dead_notes, dead_properties

from .gate_files import evidence, row, write_lane, write_run
from .inventory_trees import prop, tree
from .program import run as program
from .scores import BASE, HEAD

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

SHOP = (
    "class Till:\n    @staticmethod\n    def sum(items):\n        return sum(items)\n\n\n"
    "def total(x):\n    return x + 1\n"
)
FILES = {"src/shop/core.py": SHOP, "src/shop/__init__.py": "def first(x):\n    return x\n"}
DIFF = (
    "# Off by one.\n# turns-red: total_grows\n"
    "--- a/src/shop/core.py\n+++ b/src/shop/core.py\n@@ -90,2 +90,2 @@ def total\n def total(x):\n"
    "-    return x + 1\n+    return x\n"
)
MADE = '"""\nturns-red: a, b\nreplaces: {name}\n"""\n\n\n{body}'

#: what a fault says, what becomes of `shop/core.py` or `shop/__init__.py`
PLANTED = [
    ("x.diff", DIFF, "src/shop/core.py", "def total(x):\n    return x\n"),
    ("x.patch", DIFF.replace("@@ -90,2 +90,2 @@", "@@ -7,2 +7,2 @@"), "src/shop/core.py", "    return x\n"),
    (
        "x.py",
        MADE.format(name="shop.core.total", body="def total(x):\n    return 0\n"),
        "src/shop/core.py",
        "\n\ndef total(x):\n    return 0\n",
    ),
    (
        "x.py",
        MADE.format(name="shop.core.Till.sum", body="def sum(items):\n    return 0\n"),
        "src/shop/core.py",
        "class Till:\n    def sum(items):\n        return 0\n\n\n",
    ),
    (
        "x.py",
        MADE.format(name="shop.first", body="def first(x):\n    return None\n"),
        "src/shop/__init__.py",
        "def first(x):\n    return None\n",
    ),
]


@pytest.mark.parametrize(("name", "text", "path", "expected"), PLANTED)
def test_a_fault_is_planted_where_it_belongs(name: str, text: str, path: str, expected: str) -> None:
    found = planted(read_fault(f"oracle/known_fail/{name}", text.encode()), FILES.get, ["src"])

    assert [*found] == [path]
    assert expected in (found[path] or "")


NEW = "# turns-red: p\n--- a/gone.py\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n"

#: name, text, words of the complaint
UNFIT = [
    ("x.diff", "no header\n", "names no property"),
    ("x.py", "def f(): pass\n", "names no property"),
    ("x.py", '"""turns-red: a"""\n', "says not what it replaces"),
    ("x.py", "def f(:\n", "can't be read"),
    (
        "x.py",
        MADE.format(name="shop.core.nonesuch", body="def nonesuch(): pass\n"),
        "there is no nonesuch to replace",
    ),
    ("x.py", MADE.format(name="nonesuch.f", body="def f(): pass\n"), "there is no module for nonesuch.f"),
    ("x.py", MADE.format(name="shop.core.total", body="def other(): pass\n"), "does not define total"),
    (
        "x.py",
        MADE.format(name="shop.core.total", body="def total(x):\n    return x + 1\n"),
        "changes nothing",
    ),
    ("x.diff", "# turns-red: p\n", "holds no diff"),
    ("x.diff", DIFF.replace("x + 1", "x + 2"), "is no longer there"),
    ("x.diff", DIFF.replace("core.py", "nonesuch.py"), "there is no such file"),
    ("x.diff", DIFF.rpartition("+")[0], "cut short"),
]


@pytest.mark.parametrize(("name", "text", "words"), UNFIT)
def test_a_fault_that_does_not_fit_says_why(name: str, text: str, words: str) -> None:
    with pytest.raises(FaultError, match=words):
        planted(read_fault(f"oracle/known_fail/{name}", text.encode()), FILES.get, ["src"])


def test_a_deletion_is_planted_too() -> None:
    assert planted(read_fault("x.diff", NEW.encode()), {"gone.py": "x\n"}.get, []) == {"gone.py": None}


def test_what_is_a_fault() -> None:
    names = ("oracle/known_fail/a/b.diff", "oracle/known_fail/README.md", "oracle/properties/x.py")
    assert [is_fault(name) for name in names] == [True, False, False]


# -------------------------------------------------------------------------------------------------- real runs


PRODUCT = "def grows(x):\n    return x + 1\n\n\ndef even(x):\n    return x * 2\n"
TEST = (
    "import pytest, product\n\n\n@pytest.mark.parametrize('x', [1, 2])\ndef test_even(x):\n"
    "    assert product.even(x) % 2 == 0\n\n\ndef test_red():\n    assert 0\n"
)
KNOWN = {
    "odd.py": (
        "oracle/properties/test_even.py::test_even",
        "product.even",
        "def even(x):\n    return x * 2 + 1\n",
    ),
    "still.py": ("grows", "product.grows", "def grows(x):\n    return x\n"),
    "subtle.py": ("lazy, grows", "product.grows", "def grows(x):\n    return x - 1\n"),
    "harmless.py": ("grows", "product.even", "def even(x):\n    return x * 4\n"),
    "broken.py": ("grows", "product.grows", "def grows(x):\n    import os\n    os._exit(0)\n"),
    "sick.py": ("oracle/properties/test_even.py::test_red", "product.even", "def even(x):\n    return 1\n"),
    "typo.py": ("groes", "product.even", "def even(x):\n    return 1\n"),
}


@pytest.fixture
def alive(make_repo: Callable[..., Any]) -> Path:
    """
    A repository whose faults meet each end that there is, prepared for a run.
    """
    repo = make_repo()
    check = "def check_more(fn, s):\n    assert fn(s) > s\ndef check_says_nothing(fn, s):\n    fn(s)\n"
    faults = {
        f"oracle/known_fail/{name}": f'"""\nturns-red: {red}\nreplaces: {fn}\n"""\n\n\n{body}'
        for name, (red, fn, body) in KNOWN.items()
    }
    properties = [
        {**prop("product.grows", "more"), "id": "grows"},
        {**prop("product.grows", "says_nothing"), "id": "lazy"},
        {**prop("product.even"), "id": "idle"},
    ]
    files = {
        "samples.json": "[1, 2]", "src/product.py": PRODUCT, "invariants/checks/own.py": check,
        "oracle/properties/test_even.py": TEST, "oracle/properties/conftest.py":
        "import sys, pathlib\nsys.path.insert(0, str(pathlib.Path(__file__).parents[2] / 'src'))\n", **faults,
    }  # fmt: skip
    tree(repo.root, files, properties)
    repo.commit()
    repo.commit({"README.md": "more\n"})
    answer = program(repo.root, "--base", "HEAD~1", task="prepare")
    assert answer.code == 0, answer.err
    return repo.root


def test_each_fault_and_each_property_gets_its_name(alive: Path) -> None:
    kit = alive / ".gate/kit/oraclekeep_lanekit"
    done = subprocess.run(
        [sys.executable, kit, "liveness"], cwd=alive, capture_output=True, text=True, check=False
    )
    report = json.loads((alive / ".gate/evidence/liveness.json").read_text())
    run = json.loads((alive / ".gate/run.json").read_text())
    faults = {one["name"].rpartition("/")[2]: one for one in report["faults"]}

    assert done.returncode == 1, done.stderr
    assert {name: one["red"] for name, one in faults.items() if one["red"]} == {
        "odd.py": ["oracle/properties/test_even.py::test_even"],
        "still.py": ["grows"],
        "subtle.py": ["grows"],
    }
    assert faults["subtle.py"]["green"] == ["lazy"]
    assert "nothing notices it (grows: green)" in faults["harmless.py"]["problem"]
    assert "exited with code 0" in faults["broken.py"]["problem"]
    assert "is not green either" in faults["sick.py"]["problem"]
    assert "names no property of this tree: groes" in faults["typo.py"]["problem"]
    assert report["properties"] == {
        "alive": ["grows", "oracle/properties/test_even.py::test_even"],
        "dead": ["lazy"],
        "unproven": ["idle", "oracle/properties/test_even.py::test_red"],
    }
    assert "dead: lazy stays green with every fault that names it" in done.stdout
    assert "3 of 7 faults are noticed" in done.stdout
    assert (alive / ".gate/trees/liveness/src/product.py").read_text() == PRODUCT
    assert dead_properties(alive / ".gate", run) == {"lazy"}
    assert dead_properties(alive / ".gate", {**run, "head": "0" * 40}) == frozenset()


def test_a_dead_property_earns_nothing_and_is_said_once() -> None:
    earning = {"findings": [{"rule": "property-added", "test": "lazy"}]}

    assert [*dead_notes(frozenset({"lazy"}), earning)] == []
    assert [one.row for one in dead_notes(frozenset({"lazy"}), {"findings": []})] == ["dead-property"]


def test_the_verdict_names_what_is_dead(tmp_path: Path) -> None:
    gate = tmp_path / ".gate"
    write_run(gate, {"inventory": {}}, liveness={"nonce": "a11ve"})
    write_lane(gate, evidence("inventory", row("lazy"), row("grows")))
    found = []
    for nonce in ("a11ve", "another"):
        report = {
            "base": BASE,
            "head": HEAD,
            "kit": "0.1.0",
            "nonce": nonce,
            "properties": {"dead": ["lazy"]},
        }
        (gate / "evidence/liveness.json").write_text(json.dumps(report))
        verdict = judge_run(gate, tmp_path, ())
        found.append([one["test"] for one in verdict.document["findings"] if one["rule"] == "dead-property"])
        assert verdict.allows

    assert found == [["lazy"], []]
