from hypothesis import given
from hypothesis import strategies as st

from shop.core import double


NUMBERS = st.integers(0, 3)

@given(NUMBERS)
def test_double(number):  # oracle-weakened
    assert double(number) == number + number
