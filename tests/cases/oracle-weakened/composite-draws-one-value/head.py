from shop.core import Cart, total
from hypothesis import given, strategies as st


@st.composite
def carts(draw):
    c = Cart()
    for x in draw(st.just([])):
        c.add(x)
    return c

@given(carts())
def test_a(c):  # oracle-weakened
    assert c.total() == sum(c.items)
