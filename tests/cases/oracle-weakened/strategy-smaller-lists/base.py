from hypothesis import given
from hypothesis import strategies as st

from shop.core import total


@given(st.lists(st.integers()))
def test_total(items):
    assert total(items) == sum(items)
