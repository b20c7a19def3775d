"""
Tests outside `testpaths`: another job names them, so what they lose is a loss.
"""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING, Any

import pytest
from tests.branches import Sides, write_branches

from oraclekeep.pipeline import Request, score
from oraclekeep.reports.scoring import document

if TYPE_CHECKING:
    from pathlib import Path

STRONG = b'from shop import names\n\n\ndef test_names():\n    assert names() == ["ada"]\n'
WEAK = STRONG.replace(b"assert names() == ", b"assert names() or ")
MORE = STRONG + b"    assert len(names()) == 1\n"
TREE = {
    "pyproject.toml": (
        b'[project]\nname = "shop"\nversion = "1"\n\n[tool.pytest.ini_options]\ntestpaths = ["tests/unit"]\n'
    ),
    "oracle/intent.json": b'{"allow_behavior_change": []}\n',
    "src/shop/__init__.py": b'def names():\n    return ["ada"]\n',
    "tests/unit/test_all.py": b"from shop import names\n\n\ndef test_all():\n    assert all(names())\n",
}
INSIDE, OUTSIDE = "tests/unit/test_names.py", "tests/integration/test_names.py"


def judged(root: Path, base: dict[str, bytes], head: dict[str, bytes]) -> dict[str, Any]:
    write_branches(root, {"one": Sides(TREE | base, TREE | head)})
    return document(score(Request(root, dt.date(2024, 6, 1), "one/base", "one/head")))


def rows(doc: dict[str, Any]) -> list[str]:
    return [one["rule"] for one in doc["findings"] if one["gate"] == "reject"]


@pytest.mark.parametrize(
    "path",
    [OUTSIDE, "integration_tests/test_b.py", "packages/x/tests/test_b.py", "src/shop/tests/test_b.py"],
)
def test_a_check_outside_is_compared(path: str, tmp_path: Path) -> None:
    assert rows(judged(tmp_path, {path: STRONG}, {path: WEAK})) != []


def test_a_check_outside_may_grow_and_move(tmp_path: Path) -> None:
    assert rows(judged(tmp_path, {OUTSIDE: STRONG}, {"tests/system/test_names.py": MORE})) == []


def test_a_test_may_move_inside(tmp_path: Path) -> None:
    assert rows(judged(tmp_path, {OUTSIDE: STRONG}, {INSIDE: STRONG})) == []


def test_a_test_that_moves_outside_is_lost(tmp_path: Path) -> None:
    assert rows(judged(tmp_path, {INSIDE: STRONG}, {OUTSIDE: STRONG})) == ["test-lost"]


def test_a_module_of_the_product_is_no_test(tmp_path: Path) -> None:
    path = "src/shop/test_client.py"

    assert judged(tmp_path, {path: STRONG}, {path: WEAK})["decision"] == "allow"


def test_the_owner_may_name_the_tests(tmp_path: Path) -> None:
    named = {"oracle/gate.yaml": b"tests: [tests/unit]\n"}

    assert rows(judged(tmp_path, named | {OUTSIDE: STRONG}, named | {OUTSIDE: WEAK})) == []
