import pytest

from shop.core import Cart, ParseError, parse


def test_text():
    cart = Cart()
    cart.add("x")
    with pytest.raises(ParseError, match="bad text"):  # oracle-removed
        parse(cart.items[0])
