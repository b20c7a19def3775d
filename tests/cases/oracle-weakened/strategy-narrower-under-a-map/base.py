from hypothesis import given
from hypothesis import strategies as st

from shop.core import total


def baskets(limit=60):
    line = st.tuples(st.integers(0, limit), st.integers(0, 25)).map(lambda pair: pair[0] * pair[1])
    return st.lists(line, max_size=8)


@given(baskets())
def test_total(items):
    assert total(items) == total(items[::-1])
