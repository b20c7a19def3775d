"""
A mark or a name by which the configuration leaves a test out is a skip.
"""

from __future__ import annotations

from typing import Final

import pytest
from tests.memory import judge, losses

TEST: Final = """\
import pytest

from shop.core import double


class TestShop:
    @pytest.mark.parametrize("number", [1, 2])
    def test_double(self, number):
        assert double(number) == number + number
"""
SKIPPED: Final = {"skip-outside-quarantine"}

#: name -> options of pytest, what is replaced in the test, what takes its place, the rows that reject
CASES: Final = {
    "a mark that is left out": (
        "-m 'not slow'",
        "    @pytest",
        "    @pytest.mark.slow\n    @pytest",
        SKIPPED,
    ),
    "a mark that is not": ("-m 'not slow'", "    @pytest", "    @pytest.mark.fast\n    @pytest", set()),
    "no expression": ("-q", "    @pytest", "    @pytest.mark.slow\n    @pytest", set()),
    "a mark on the class": ("-m 'not slow'", "class", "@pytest.mark.slow\nclass", SKIPPED),
    "a mark on the module": ("-m 'not slow'", "class", "pytestmark = pytest.mark.slow\n\n\nclass", SKIPPED),
    "a mark on a case": (
        "-m 'not slow'",
        "[1, 2]",
        "[1, pytest.param(2, marks=pytest.mark.slow)]",
        SKIPPED,
    ),
    "another mark on a case": (
        "-m 'not slow'",
        "[1, 2]",
        "[1, pytest.param(2, marks=pytest.mark.fast)]",
        set(),
    ),
    "one of two marks": (
        "-m 'not (slow and web)'",
        "    @pytest",
        "    @pytest.mark.slow\n    @pytest",
        set(),
    ),
    "both marks": (
        "-m 'not (slow and web)'",
        "    @pytest",
        "    @pytest.mark.slow\n    @pytest.mark.web\n    @pytest",
        SKIPPED,
    ),
    "a name that is left out": ("-k 'not slow'", "test_double", "test_slow_double", SKIPPED),
    "a name that is not": ("-k 'not slow'", "test_double", "test_twice", set()),
    "a class of such a name": ("-k 'not slow'", "TestShop", "TestSlowShop", SKIPPED),
}


@pytest.mark.parametrize("name", CASES)
def test_what_the_configuration_leaves_out_is_skipped(name: str) -> None:
    """
    The expression stood at base; the patch only put the test on its other side.
    """
    options, old, new, expected = CASES[name]
    base = {
        "pyproject.toml": f'[tool.pytest.ini_options]\naddopts = "{options}"\n'.encode(),
        "src/shop/__init__.py": b"",
        "src/shop/core.py": b"def double(number):\n    return number * 2\n",
        "tests/test_shop.py": TEST.encode(),
    }
    assert old in TEST

    spent = judge(base, base | {"tests/test_shop.py": TEST.replace(old, new, 1).encode()})

    assert expected == {charge.finding.row for charge in losses(spent)}


def test_a_mark_taken_back_is_good_news() -> None:
    """
    A test that base left out loses nothing by being run.
    """
    marked = TEST.replace("    @pytest", "    @pytest.mark.slow\n    @pytest")
    base = {
        "pyproject.toml": b"[tool.pytest.ini_options]\naddopts = \"-m 'not slow'\"\n",
        "src/shop/core.py": b"def double(number):\n    return number * 2\n",
        "tests/test_shop.py": marked.encode(),
    }

    assert losses(judge(base, base | {"tests/test_shop.py": TEST.encode()})) == []
