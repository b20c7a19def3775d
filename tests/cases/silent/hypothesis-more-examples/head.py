from hypothesis import example, given, settings
from hypothesis import strategies as st

from shop.core import double


@settings(max_examples=500)
@given(st.integers())
@example(0)
def test_double(number):
    assert double(number) == number + number
