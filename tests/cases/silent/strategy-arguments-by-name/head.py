from hypothesis import given
from hypothesis import strategies as st

from shop.core import total


@given(numbers=st.lists(elements=st.integers(min_value=0, max_value=9), min_size=1))
def test_total(numbers):
    assert total(numbers) >= 0
