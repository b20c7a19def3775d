from shop.core import total
from hypothesis import given, settings, strategies as st, assume, example


@given(st.lists(st.integers()))
def test_a(xs):
    assert total(xs) == sum(xs)
