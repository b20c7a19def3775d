import pytest

from shop.core import Cart, ParseError, parse


def test_parse():
    cart = Cart()
    cart.add(1)
    with pytest.raises(ParseError) as caught:
        cart.add(parse("x"))
    assert caught.value.code == 1
