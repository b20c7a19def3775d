import pytest

from shop.core import Cart, parse


def run(text):
    cart = Cart()
    result = cart.add(parse(text))
    return result


def test_bad():
    with pytest.raises(ValueError):
        run("a b")
