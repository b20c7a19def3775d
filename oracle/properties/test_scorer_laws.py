"""
Laws of the scorer, over test modules made of random checks.
"""

from __future__ import annotations

import ast

from hypothesis import given
from hypothesis import strategies as st

VALUES = st.one_of(st.integers(-99, 99), st.text("abc", max_size=4), st.lists(st.integers(0, 9), max_size=3))
CHECKS = st.one_of(
    st.tuples(st.integers(0, 9), VALUES).map(lambda pair: f"assert f({pair[0]}) == {pair[1]!r}"),
    st.integers(0, 9).map(lambda n: f"assert g({n}) is None"),
    st.integers(0, 9).map(lambda n: f"assert {n} in h({n})"),
    st.integers(0, 9).map(lambda n: f"with pytest.raises(ValueError, match='no {n}'):\n        k({n})"),
)
BODIES = st.lists(st.lists(CHECKS, min_size=1, max_size=4, unique=True), min_size=1, max_size=4)
HEAD = "import pytest\n\nfrom product import f, g, h, k\n\n\n"


def module(bodies: list[list[str]]) -> dict[str, str]:
    tests = [f"def test_{index}():\n    " + "\n    ".join(body) + "\n" for index, body in enumerate(bodies)]
    return {"tests/test_random.py": HEAD + "\n\n".join(tests), "src/product.py": "f = g = h = k = len\n"}


@given(BODIES)
def test_a_patch_that_changes_nothing_costs_nothing(score, bodies):
    tree = module(bodies)
    assert score(tree, dict(tree)) == 0


@given(BODIES)
def test_reformatting_costs_nothing(score, bodies):
    tree = module(bodies)
    path = "tests/test_random.py"
    plain = "# reformatted\n" + ast.unparse(ast.parse(tree[path])).replace("'", '"')
    assert score(tree, tree | {path: plain}) == 0


@given(BODIES)
def test_the_order_of_tests_costs_nothing(score, bodies):
    tree = module(bodies)
    path = "tests/test_random.py"
    parts = tree[path].removeprefix(HEAD).split("\n\n\n")
    assert score(tree, tree | {path: HEAD + "\n\n\n".join(reversed(parts))}) == 0


@given(BODIES, st.data())
def test_one_oracle_fewer_is_refused_and_two_fewer_never_score_higher(score, bodies, data):
    tree = module(bodies)
    test = data.draw(st.integers(0, len(bodies) - 1))
    check = data.draw(st.integers(0, len(bodies[test]) - 1))
    fewer = [list(body) for body in bodies]
    fewer[test][check] = "pass"
    elsewhere = any(bodies[test][check] in body for index, body in enumerate(bodies) if index != test)
    first = score(tree, module(fewer))
    if not elsewhere:
        assert first is not None
        assert first < 0
    everything = [["pass"] * len(body) for body in bodies]
    last = score(tree, module(everything))
    assert last is not None
    assert first is not None
    assert last <= first
