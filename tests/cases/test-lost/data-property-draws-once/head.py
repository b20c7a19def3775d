from hypothesis import given, settings
from hypothesis import strategies as st

from shop.core import price


@settings(max_examples=1)
@given(st.data())
def test_price(data):  # test-lost
    count = data.draw(st.integers(min_value=0, max_value=50))
    assert price(count) >= 0
