from hypothesis import given
from hypothesis import strategies as st

from shop.core import price


@given(st.data())
def test_price(data):
    count = data.draw(st.integers(min_value=0, max_value=50))
    rate = data.draw(st.floats(min_value=0, max_value=2))
    assert price(count, rate) >= 0
