from hypothesis import given
from hypothesis import strategies as st

from shop.core import total


@given(st.integers(0, 9))
def test_total(number):
    assert total([number]) == number
