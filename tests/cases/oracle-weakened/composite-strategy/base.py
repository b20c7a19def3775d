from hypothesis import given
from hypothesis import strategies as st

from shop.core import double


@st.composite
def numbers(draw):
    return draw(st.integers())

@given(numbers())
def test_double(number):
    assert double(number) == number + number
