from hypothesis import given, settings
from hypothesis import strategies as st

from shop.core import double


@settings(max_examples=1)
@given(st.integers())
def test_double(number):  # test-lost
    assert double(number) == number + number
