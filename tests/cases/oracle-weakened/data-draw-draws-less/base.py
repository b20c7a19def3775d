from hypothesis import given
from hypothesis import strategies as st

from shop.core import price


@given(st.integers(min_value=0, max_value=50), st.floats(min_value=0, max_value=2))
def test_price(count, rate):
    assert price(count, rate) >= 0
