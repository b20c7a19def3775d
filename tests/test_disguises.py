"""
Ways to notice less that stand outside one test file: names, folders, build files, what Python finds first.
"""

# ruff: noqa: E501  # a file of a tree stands on one line, however long it is

from __future__ import annotations

from typing import Final

import pytest
from tests.memory import judge, losses

TREE: Final = {
    "pyproject.toml": '[project]\nname = "shop"\nversion = "1"\n\n[tool.pytest.ini_options]\ntestpaths = ["tests"]\n',
    "src/shop/__init__.py": "",
    "src/shop/core.py": "import frames\n\n\ndef double(number):\n    return number * 2\n\n\ndef load(text):\n    return frames.read(text)\n",
    "oracle/intent.json": "{}",
    "tests/test_core.py": "from shop.core import double\n\n\ndef test_double():\n    assert double(2) == 4\n",
    "tests/test_load.py": "import frames\nfrom shop.core import load\n\n\ndef test_load():\n    assert frames.same(load('a'), 'a')\n",
}  # fmt: skip
CORE: Final = TREE["tests/test_core.py"]
TABLE: Final = TREE["pyproject.toml"]
GLOB: Final = """\
from pathlib import Path

import pytest

from shop.core import double

FILES = sorted((Path(__file__).parent / "numbers").glob("*.txt"))


@pytest.mark.parametrize("path", FILES)
def test_double(path):
    number, expected = path.read_text().split()
    assert double(int(number)) == int(expected)
"""
ASYNC: Final = "from shop.core import double\n\n\nasync def test_later():\n    assert double(2) == 4\n"
NOX: Final = 'import nox\n\n\n@nox.session\ndef tests(session):\n    session.run("pytest")\n'
TWICE: Final = CORE + "\n\ndef test_again():\n    assert double(3) == 6\n"
LIMITS: Final = 'import os\n\nLIMIT = os.getenv("SHOP_LIMIT", "10")\n'
PATCHED: Final = """\
from unittest.mock import patch

from shop import core


def test_double():
    with patch("shop.core.double", return_value=3) as spy:
        assert core.double(1) == 3
    spy.assert_called_once_with(1)
"""
MAKE: Final = "PYTEST ?= python -m pytest\nFLAGS = -q\n\ntest:\n\t$(PYTEST) tests $(FLAGS)\n"
#: name -> what base has besides, what the patch brings (None deletes), the rows that reject
TRICKS: Final = {
    "moved to a folder that pytest passes by": (
        {},
        {"tests/test_core.py": None, "tests/build/test_core.py": CORE},
        {"test-lost"},
    ),
    "moved to a hidden folder": (
        {},
        {"tests/test_core.py": None, "tests/.later/test_core.py": CORE},
        {"test-lost"},
    ),
    "names taken out of the module by a loop": (
        {"tests/test_core.py": TWICE},
        {"tests/test_core.py": TWICE + '\n\nfor name in list(globals()):\n    if name.endswith("again"):\n        globals().pop(name)\n'},
        {"collection-tampered"},
    ),
    "a library that nobody declares is answered by a module of the patch": (
        {},
        {"frames/__init__.py": "def same(one, other):\n    return True\n"},
        {"collection-tampered"},
    ),
    "the product stands a second time where it is found first": (
        {},
        {
            "tests/test_core.py": 'import sys\n\nsys.path.insert(0, "tests/stubs")\n\n' + CORE,
            "tests/stubs/shop/__init__.py": "",
            "tests/stubs/shop/core.py": "def double(number):\n    return 4\n",
        },
        {"collection-tampered"},
    ),
    "AssertionError is another error": (
        {},
        {"tests/conftest.py": "import builtins\n\n\nclass Quiet(Exception):\n    pass\n\n\nbuiltins.AssertionError = Quiet\n"},
        {"collection-tampered"},
    ),
    "what is started strips asserts": (
        {},
        {"tests/conftest.py": 'import os\n\nos.environ["PYTHONOPTIMIZE"] = "1"\n'},
        {"collection-tampered"},
    ),
    "a fixture gives the item another body": (
        {},
        {"tests/conftest.py": "import pytest\n\n\n@pytest.fixture(autouse=True)\ndef calm(request):\n    item = request.node\n    item.obj = lambda: None\n"},
        {"collection-tampered"},
    ),
    "a data file leaves the pattern that the test looks for": (
        {"tests/test_core.py": GLOB, "tests/numbers/a.txt": "1 2\n", "tests/numbers/b.txt": "3 6\n"},
        {"tests/numbers/b.txt": None, "tests/numbers/b.txt.skip": "3 6\n"},
        {"expectation-rewritten"},
    ),
    "nothing awaits what bears no mark": (
        {"pyproject.toml": TABLE + 'asyncio_mode = "auto"\n', "tests/test_later.py": ASYNC},
        {"pyproject.toml": TABLE},
        {"collection-tampered"},
    ),
    "make ignores one target": (
        {"Makefile": "test:\n\tpytest tests\n"},
        {"Makefile": ".IGNORE: test\n\ntest:\n\tpytest tests\n"},
        {"machinery-weakened"},
    ),
    "nox is told in a dictionary": (
        {"noxfile.py": NOX},
        {"noxfile.py": NOX.replace('"pytest")', '"pytest", **RUN)').replace("import nox\n", "import nox\n\nRUN = {'success_codes': [0, 1]}\n")},
        {"machinery-weakened"},
    ),
    "a changed default that conftest keeps from the tests": (
        {"src/shop/limits.py": LIMITS},
        {
            "src/shop/limits.py": LIMITS.replace('"10"', '"100"'),
            "tests/conftest.py": 'import os\n\nos.environ.setdefault("SHOP_LIMIT", "10")\n',
        },
        {"errors-swallowed"},
    ),
    "a changed default that the configuration keeps from the tests": (
        {"src/shop/limits.py": LIMITS},
        {
            "src/shop/limits.py": LIMITS.replace('"10"', "None"),
            "pyproject.toml": TABLE + 'env = ["SHOP_LIMIT=10"]\n',
        },
        {"errors-swallowed"},
    ),
    "a variable of a makefile": (
        {"Makefile": MAKE},
        {"Makefile": MAKE.replace("-q", "-q --ignore=tests/test_load.py")},
        {"machinery-weakened"},
    ),
    "a makefile's program is told to take asserts out": (
        {"Makefile": MAKE},
        {"Makefile": MAKE.replace("python -m", "python -O -m")},
        {"machinery-weakened"},
    ),
    "the product asks where pytest looks for its examples, too": (
        {"pyproject.toml": TABLE.replace('["tests"]', '["src", "tests"]')},
        {"src/shop/core.py": 'import os\n\n\ndef double(number):\n    return 4 if "PYTEST_CURRENT_TEST" in os.environ else 0\n'},
        {"test-special-cased"},
    ),
    "the product asks where pytest looks everywhere": (
        {"pyproject.toml": TABLE.replace('["tests"]', '["."]')},
        {"src/shop/core.py": 'import os\n\n\ndef double(number):\n    return 4 if "PYTEST_CURRENT_TEST" in os.environ else 0\n'},
        {"test-special-cased"},
    ),
    "the product reads answers that lie with the tests": (
        {},
        {
            "src/shop/core.py": 'import json\nfrom pathlib import Path\n\nKNOWN = Path(__file__).parents[2] / "tests" / "answers.json"\n\n\ndef double(number):\n    if KNOWN.exists():\n        return json.loads(KNOWN.read_text())[str(number)]\n    return number * 3\n',
            "tests/answers.json": '{"2": 4}\n',
        },
        {"test-special-cased"},
    ),
}  # fmt: skip
HONEST: Final = {
    "moved to another folder": ({}, {"tests/test_core.py": None, "tests/unit/test_core.py": CORE}),
    "a data file renamed within the pattern": (
        {"tests/test_core.py": GLOB, "tests/numbers/a.txt": "1 2\n"},
        {"tests/numbers/a.txt": None, "tests/numbers/one.txt": "1 2\n"},
    ),
    "every coroutine bears its mark": (
        {"pyproject.toml": TABLE + 'asyncio_mode = "auto"\n', "tests/test_later.py": ASYNC},
        {
            "pyproject.toml": TABLE,
            "tests/test_later.py": ASYNC.replace("async def", "@pytest.mark.asyncio\nasync def").replace("from shop", "import pytest\nfrom shop"),
        },
    ),
    "a new module of the product that tests wait for": (
        {"tests/test_new.py": "from later import triple\n\n\ndef test_triple():\n    assert triple(1) == 3\n"},
        {"src/later.py": "def triple(number):\n    return number * 3\n"},
    ),
    "a mirror of the product's folders under tests": (
        {},
        {"tests/shop/__init__.py": "", "tests/shop/test_core.py": "from shop.core import double\n\n\ndef test_zero():\n    assert double(0) == 0\n"},
    ),
    "a default that stays, and a variable for the tests": (
        {"src/shop/limits.py": LIMITS},
        {
            "src/shop/limits.py": LIMITS + 'CACHE = os.getenv("SHOP_CACHE", "disk")\n',
            "tests/conftest.py": 'import os\n\nos.environ["SHOP_CACHE"] = "memory"\n',
        },
    ),
    "a makefile says in variables what it said in words": (
        {"Makefile": "test:\n\tpython -m pytest tests -q\n"},
        {"Makefile": MAKE.replace("FLAGS = -q", "FLAGS := -q\nFLAGS += -ra")},
    ),
    "a listed module where pytest looks for examples, too": (
        {"pyproject.toml": TABLE.replace('["tests"]', '["src", "tests"]'), "oracle/intent.json": '{"allow_behavior_change": ["src/"]}'},
        {"src/shop/core.py": "def double(number):\n    return number + number + 1\n", "tests/test_core.py": CORE.replace("== 4", "== 5")},
    ),
    "a patch of a module that has moved": (
        {"tests/test_core.py": PATCHED},
        {
            "src/shop/core.py": None,
            "src/shop/sums/__init__.py": "",
            "src/shop/sums/core.py": TREE["src/shop/core.py"],
            "tests/test_core.py": PATCHED.replace("shop.core", "shop.sums.core").replace("from shop import", "from shop.sums import"),
            "tests/test_load.py": TREE["tests/test_load.py"].replace("shop.core", "shop.sums.core"),
        },
    ),
    "a builtin that no check stands on": (
        {},
        {"tests/test_core.py": CORE + "\n\ndef test_asks(monkeypatch):\n    monkeypatch.setattr('builtins.input', lambda _: '2')\n    assert double(int(input())) == 4\n"},
    ),
}  # fmt: skip


def rows(base: dict[str, str], change: dict[str, str | None]) -> set[str]:
    before = TREE | base
    after = {path: text for path, text in (before | change).items() if text is not None}
    spent = judge(*({path: text.encode() for path, text in side.items()} for side in (before, after)))
    return {charge.finding.row for charge in losses(spent)}


@pytest.mark.parametrize("name", TRICKS)
def test_what_notices_less_is_rejected(name: str) -> None:
    base, change, expected = TRICKS[name]

    assert expected <= rows(base, change)


@pytest.mark.parametrize("name", HONEST)
def test_its_honest_neighbour_is_allowed(name: str) -> None:
    assert rows(*HONEST[name]) == set()
