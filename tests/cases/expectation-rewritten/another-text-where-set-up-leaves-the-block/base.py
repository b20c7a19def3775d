import pytest

from shop.core import Cart, ParseError, parse


def test_text():
    with pytest.raises(ParseError, match="bad text: x"):
        cart = Cart()
        cart.add("x")
        parse(cart.items[0])


def test_call():
    with pytest.raises(ParseError, match="bad text: x"):
        cart = Cart()
        cart.add("x")
        parse(cart.items[0])
