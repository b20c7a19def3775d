from hypothesis import example, given
from hypothesis import strategies as st

from shop.core import double


@given(st.integers())
@example(0)
def test_double(number):
    assert double(number) == number + number  # oracle-removed
