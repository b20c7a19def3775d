from shop.core import total
from hypothesis import given, settings, strategies as st, assume, example


@given(st.one_of(st.lists(st.integers()), st.just([])))
def test_a(xs):
    assert total(xs) == sum(xs)
