from shop.core import Cart, total
from hypothesis import given, strategies as st


@st.composite
def carts(draw):
    c = Cart()
    for x in draw(st.lists(st.integers())):
        c.add(x)
    return c

@given(carts())
def test_a(c):
    assert c.total() == sum(c.items)
