import pytest

from shop.core import Cart, ParseError, find, parse, price


@pytest.fixture
def cart():
    return Cart()

def test_add(cart):
    cart.add(1)
    assert cart.items == [1]
    assert not cart.is_empty()
    assert 1 in cart.items
    assert find("bob") is None
    assert price(10) == pytest.approx(12.0, abs=5e-8, rel=0)
    with pytest.raises(ParseError):
        parse("x")
    with pytest.raises(ParseError, match="bad"):
        parse("y")
