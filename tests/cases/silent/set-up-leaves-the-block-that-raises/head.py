import pytest

from shop.core import Cart, ParseError, parse, warn_old


def test_text():
    cart = Cart()
    cart.add("x")
    with pytest.raises(ParseError, match="bad text"):
        parse(cart.items[0])


def test_error():
    text = "zz"
    cart = Cart()
    with pytest.raises(ParseError) as caught:
        cart.add(parse(text))
    assert "zz" in str(caught.value)
    assert caught.value.code == 1


def test_warning():
    cart = Cart()
    cart.add(2)
    with pytest.warns(DeprecationWarning, match="old name"):
        warn_old()


def test_regex():
    cart = Cart()
    with pytest.raises(ParseError, match="^bad text: zz$"):
        cart.add(parse("zz"))
