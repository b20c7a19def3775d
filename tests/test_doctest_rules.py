"""
Doctest examples that pytest collects are judged like the checks of a test.
"""

from __future__ import annotations

from typing import Final

import pytest
from tests.memory import judge, losses

SETTINGS: Final = "[tool.pytest.ini_options]\naddopts = '--doctest-modules --doctest-glob=*.rst'\n"
LISTED: Final = '{"allow_behavior_change": ["src/shop/core.py"]}\n'
CODE: Final = '''\
"""
Prices.
"""


def price(count, rate=1.2):
    """
    Say the price.

    >>> price(2)
    2.4
    >>> price(3, rate=1)
    3
    >>> price("x")
    Traceback (most recent call last):
        ...
    TypeError: can't multiply sequence by non-int of type 'float'
    """
    return round(count * rate, 2)


def other():
    """
    >>> other()
    1
    """
    return 1
'''
GUIDE: Final = """\
Use
===

>>> from shop.core import price
>>> price(2)
2.4
>>> counts = [1]
>>> price(*counts)
1.2
"""
THREE: Final = "    >>> price(3, rate=1)\n    3\n"
OTHER: Final = CODE[CODE.index("def other") :]

#: name -> file, text, what takes its place, base's intent, the rows that reject
CASES: Final = {
    "another output": ("core", THREE, THREE.replace("3\n", "4\n"), "", {"expectation-rewritten"}),
    "another output of a listed module": ("core", THREE, THREE.replace("3\n", "4\n"), LISTED, set()),
    "gone": ("core", THREE, "", "", {"oracle-removed"}),
    "gone from a listed module": ("core", THREE, "", LISTED, {"oracle-removed"}),
    "nothing wanted": ("core", THREE, "    >>> price(3, rate=1)\n", "", {"oracle-removed"}),
    "assigned": ("core", THREE, "    >>> _ = price(3, rate=1)\n", "", {"oracle-removed"}),
    "skipped": ("core", "rate=1)\n", "rate=1)  # doctest: +SKIP\n", "", {"skip-outside-quarantine"}),
    "anything goes": (
        "core",
        THREE,
        "    >>> price(3, rate=1)  # doctest: +ELLIPSIS\n    3...\n",
        "",
        {"oracle-weakened"},
    ),
    "any message": (
        "core",
        'price("x")\n',
        'price("x")  # doctest: +IGNORE_EXCEPTION_DETAIL\n',
        "",
        {"oracle-weakened"},
    ),
    "another error": ("core", "    TypeError: can't", "    Exception: can't", "", {"expectation-rewritten"}),
    "another input": ("core", "price(3, rate=1)", "price(1, rate=3)", "", {"expectation-rewritten"}),
    "no prompt": (
        "core",
        ">>> price(3, rate=1)",
        "> price(3, rate=1)",
        "",
        {"expectation-rewritten", "oracle-removed"},
    ),
    "a malformed prompt": (
        "core",
        ">>> price(3, rate=1)",
        ">>>price(3, rate=1)",
        "",
        {"oracle-removed"},
    ),
    "comments": ("core", '"""\n    >>> other()\n    1\n    """', "# >>> other()", "", {"oracle-removed"}),
    "the function went": ("core", OTHER, "", "", {"oracle-removed"}),
    "the function of a listed module went": ("core", OTHER, "", LISTED, set()),
    "the function was renamed": ("core", "other", "another", "", set()),
    "layout": ("core", "(3, rate=1)", "( 3,rate = 1 )", "", set()),
    "prose": ("core", "Say the price.", "Say the price of so many.", "", set()),
    "one more": ("core", THREE, THREE + "    >>> price(0)\n    0.0\n", "", set()),
    "a text's output": ("guide", "2.4", "2.5", "", {"expectation-rewritten"}),
    "a text's output, of a listed module": ("guide", "2.4", "2.5", LISTED, set()),
    "a text's statement": ("guide", "counts = [1]", "counts = [1, 2]", "", {"expectation-rewritten"}),
    "a text's prose": ("guide", "Use\n===", "How to use it\n=============", "", set()),
    "another spelling of an import": ("guide", "import price", "import price as price", "", set()),
}
PATHS: Final = {"core": "src/shop/core.py", "guide": "docs/guide.rst"}


def tree(**files: str) -> dict[str, bytes]:
    """
    Return the product with its settings; a file that is given empty is not there.
    """
    found = {
        "pyproject.toml": SETTINGS,
        "src/shop/__init__.py": "",
        PATHS["core"]: CODE,
        PATHS["guide"]: GUIDE,
        **{
            {"settings": "pyproject.toml"}.get(name, PATHS.get(name, name)): text
            for name, text in files.items()
        },
    }
    return {path: text.encode() for path, text in found.items() if text or path.endswith("__init__.py")}


def rows(base: dict[str, bytes], head: dict[str, bytes]) -> set[str]:
    return {charge.finding.row for charge in losses(judge(base, head))}


@pytest.mark.parametrize("name", CASES)
def test_examples_are_checks(name: str) -> None:
    """
    What a collected example wants may not get less, nor change without the owner's word.
    """
    where, old, new, intent, expected = CASES[name]
    policy = {"oracle/intent.json": intent.encode()} if intent else {}
    before = {"core": CODE, "guide": GUIDE}[where]
    assert old in before

    actual = rows(tree() | policy, tree(**{where: before.replace(old, new)}) | policy)

    assert expected == actual


def test_an_example_may_move() -> None:
    """
    An example that stands in another docstring, or in another file, is not lost.
    """
    moved = CODE.replace(THREE, "").replace("    >>> other()\n", f"{THREE}    >>> other()\n")

    assert set() == rows(tree(), tree(core=moved))
    assert set() == rows(tree(), {**tree(guide=""), "docs/howto.rst": GUIDE.encode()})


NAMED: Final = "    >>> number = 3\n    >>> price(number, rate=1)\n    3\n"


def test_an_example_may_name_its_input() -> None:
    """
    A name that holds a literal in the same text says the literal, and no other one.
    """
    other = NAMED.replace("number = 3", "number = 4").replace("    3\n", "    4\n")

    assert set() == rows(tree(), tree(core=CODE.replace(THREE, NAMED)))
    assert set() == rows(tree(core=CODE.replace(THREE, NAMED)), tree())
    assert {"expectation-rewritten"} == rows(tree(), tree(core=CODE.replace(THREE, other)))


@pytest.mark.parametrize(
    ("check", "expected"),
    [
        ("assert other(2) == 4", set()),
        ("assert other(2) == 5", {"oracle-removed"}),
        ("assert other(3) == 4", {"oracle-removed"}),
        ("assert other(2)", {"oracle-removed"}),
        ("if other(0):\n        assert other(2) == 4", {"oracle-removed"}),
    ],
)
def test_an_example_may_become_a_test(check: str, expected: set[str]) -> None:
    """
    A new check that asks the same call for the same value takes an example's place.
    """
    module = "def other(number):\n    {}return number * 2\n"
    before = module.format('"""\n    >>> other(2)\n    4\n    """\n    ')
    test = f"from shop.core import other\n\n\ndef test_other():\n    {check}\n"
    head = {**tree(core=module.format("")), "tests/test_other.py": test.encode()}

    assert expected == rows(tree(core=before), head)


def test_a_text_with_examples_may_not_go() -> None:
    """
    Every example of a deleted text is gone.
    """
    actual = losses(judge(tree(), tree(guide="")))

    assert [charge.finding.row for charge in actual] == ["oracle-removed"] * 2


def test_what_nothing_collects_is_no_check() -> None:
    """
    A docstring that pytest does not read, and a text that no pattern names, can say what they like.
    """
    settings = "[tool.pytest.ini_options]\ntestpaths = ['tests']\n"
    changed = tree(settings=settings, core=CODE.replace(THREE, ""), guide=GUIDE.replace("2.4", "2.5"))

    assert set() == rows(tree(settings=settings), changed)


def test_texts_of_tests_are_collected_by_default() -> None:
    """
    Pytest takes `test*.txt` as examples where nothing else is said.
    """
    settings = "[tool.pytest.ini_options]\n"
    base = {**tree(settings=settings), "tests/test_guide.txt": GUIDE.encode()}
    head = {**base, "tests/test_guide.txt": GUIDE.replace("2.4", "2.5").encode()}

    assert {"expectation-rewritten"} == rows(base, head)
