import pytest

from shop.core import Cart, ParseError, parse, price


@pytest.mark.parametrize("start", [0, 5])
def test_add(start):
    cart = Cart()
    cart.add(start)
    cart.add(1)
    assert cart.total() == start + 1


def test_price():
    assert price(10, 2) == 20


def test_parse():
    with pytest.raises(ParseError, match="bad text: {}".format("x")):
        parse("x")


def test_letters():
    for letter in "ab":
        with pytest.raises(ParseError):
            parse(letter)
