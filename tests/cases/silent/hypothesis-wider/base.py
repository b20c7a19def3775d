from hypothesis import given
from hypothesis import strategies as st

from shop.core import double


@given(st.integers(min_value=0, max_value=9))
def test_double(number):
    assert double(number) == number + number
