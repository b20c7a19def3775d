from shop.core import Cart, ParseError, parse


def test_parse():
    cart = Cart()
    cart.add(1)
    try:
        cart.add(parse("x"))
    except ParseError as error:
        assert error.code == 1
    else:
        raise AssertionError("no error")
