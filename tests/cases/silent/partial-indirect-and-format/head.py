from functools import partial

import pytest

from shop.core import Cart, ParseError, parse, price

dear = partial(price, rate=2)


@pytest.fixture
def cart(request):
    cart = Cart()
    cart.add(request.param)
    return cart


@pytest.mark.parametrize("cart, start", [(0, 0), (5, 5)], indirect=["cart"])
def test_add(cart, start):
    cart.add(1)
    assert cart.total() == start + 1


def test_price():
    assert dear(10) == 20


def test_parse():
    text = "x"
    with pytest.raises(ParseError, match=f"bad text: {text}"):
        parse(text)


@pytest.mark.parametrize("letter", ["a", "b"])
def test_letters(letter):
    with pytest.raises(ParseError):
        parse(letter)
