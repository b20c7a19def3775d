from hypothesis import given
from hypothesis import strategies as st

from shop.core import total


@given(st.lists(st.integers(0, 9), min_size=1))
def test_total(numbers):
    assert total(numbers) >= 0
