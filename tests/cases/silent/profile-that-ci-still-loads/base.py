from hypothesis import given
from hypothesis import strategies as st

from shop.core import double


@given(st.integers())
def test_double(number):
    assert double(number) == number + number
