from hypothesis import assume, given
from hypothesis import strategies as st

from shop.core import double


@given(st.integers())
def test_double(number):  # oracle-weakened
    assume(number > 0)
    assert double(number) == number + number
