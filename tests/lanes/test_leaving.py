"""
A test that the product itself leaves early, and libraries that the tree would answer for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

TEST = "import sys\nsys.path.insert(0, 'src')\nfrom pkg.core import f\n"
SKIPS = {
    "raise": "import doctest\ndef f():\n    raise doctest.unittest.SkipTest('x')\n",
    "pytest": "import sys\ndef f():\n    sys.modules['pytest'].skip('x')\n",
    "xfail": "import sys\ndef f():\n    sys.modules['pytest'].xfail('x')\n",
    "unittest": "import sys\ndef f():\n    sys.modules['unittest'].TestCase().skipTest('x')\n",
}
HONEST = {
    "the test": "import pytest\ndef test_f():\n    pytest.skip('x')\n",
    "a case": "import unittest\nclass TestF(unittest.TestCase):\n    def test_f(self): self.skipTest('x')\n",
    "a helper": "from helpers import leave\ndef test_f():\n    leave()\n",
    "a missing library": "import pytest\ndef test_f():\n    pytest.importorskip('no_such_library')\n",
    "a mark": "import pytest\n@pytest.mark.skip\ndef test_f(): pass\n",
    "an expected failure": "import pytest\ndef test_f():\n    pytest.xfail('x')\n",
    "the product's own help": TEST + "from pkg.testing import leave\ndef test_f():\n    leave()\n",
    "a failed call": (
        f"{TEST}import pytest\n"
        "def test_f():\n    try:\n        f()\n    except ValueError:\n        pytest.skip('x')\n"
    ),
}
SUPPORT = {
    "tests/helpers.py": "import pytest\ndef leave(): pytest.skip('x')\n",
    "src/pkg/__init__.py": "",
    "src/pkg/core.py": "def f(): raise ValueError\n",
    "src/pkg/testing.py": "import pytest\ndef leave(): pytest.skip('x')\n",
    "tests/test_more.py": "def test_more(): assert 1 + 1 == 2\n",
}


@pytest.mark.parametrize("name", SKIPS)
@pytest.mark.parametrize("style", ["def test_f():\n    assert f() == 1\n", ""], ids=["function", "case"])
def test_a_product_that_skips_its_tests_is_named(gate: Callable[..., Any], name: str, style: str) -> None:
    case = (
        "import unittest\nclass TestF(unittest.TestCase):\n    def test_f(self): self.assertEqual(f(), 1)\n"
    )
    files = {**SUPPORT, "src/pkg/core.py": SKIPS[name], "tests/test_f.py": TEST + (style or case)}
    made = gate(files, source=["src"])

    done = made.start()

    assert done.returncode == 2
    assert made.rows() == ["protocol-error"]
    assert "was skipped by the product itself, in src/pkg/core.py:" in made.messages()


def test_a_product_on_a_roundabout_path_is_named(gate: Callable[..., Any]) -> None:
    """
    Many a conftest puts `tests/../src` on the path, and a frame's file is then called so.
    """
    test = TEST.replace("'src'", "'tests/../src'") + "def test_f():\n    assert f() == 1\n"
    made = gate({**SUPPORT, "src/pkg/core.py": SKIPS["raise"], "tests/test_f.py": test}, source=["src"])

    assert made.start().returncode == 2
    assert "was skipped by the product itself, in src/pkg/core.py:" in made.messages()


def test_a_product_that_skips_a_whole_module_is_named(gate: Callable[..., Any]) -> None:
    core = "import sys\nsys.modules['pytest'].skip('x', allow_module_level=True)\n"
    made = gate({**SUPPORT, "src/pkg/core.py": core, "tests/test_f.py": TEST}, source=["src"])

    made.start()

    assert "was skipped by the product itself" in made.messages()


@pytest.mark.parametrize("name", HONEST)
def test_a_suite_may_skip_its_own_tests(gate: Callable[..., Any], name: str) -> None:
    made = gate({**SUPPORT, "tests/test_f.py": HONEST[name]}, source=["src"])

    made.start()

    assert made.rows() == [], made.messages()


@pytest.mark.parametrize("place", ["src/oraclekeep_lanekit/__init__.py", "hypothesis.py"])
def test_the_tree_answers_for_no_library_of_the_lane(gate: Callable[..., Any], place: str) -> None:
    pytest.importorskip("hypothesis")
    law = (
        "from hypothesis import given, strategies as st\n"
        "@given(st.integers())\ndef test_law(x): assert x < 5\n"
        "def test_more(): assert 1 + 1 == 2\n"
    )
    made = gate(
        {place: "raise SystemExit(0)\n", "oracle/properties/test_law.py": law},
        lane="properties",
        args=["oracle/properties"],
        env={"PYTHONPATH": "src"},
    )

    made.start()

    assert made.rows() == ["property-red"], made.messages()
