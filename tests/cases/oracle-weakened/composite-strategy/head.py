from hypothesis import given
from hypothesis import strategies as st

from shop.core import double


@st.composite
def numbers(draw):
    return draw(st.integers(0, 1))

@given(numbers())
def test_double(number):  # oracle-weakened
    assert double(number) == number + number
