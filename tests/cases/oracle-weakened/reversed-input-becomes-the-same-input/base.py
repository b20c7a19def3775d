from hypothesis import given
from hypothesis import strategies as st

from shop.core import total


@given(st.lists(st.integers()))
def test_total(items):
    once = total(items)
    assert total(list(reversed(items))) == once
