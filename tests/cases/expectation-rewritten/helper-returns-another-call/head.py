import pytest

from shop.core import Cart


def run(text):
    cart = Cart()
    return cart.add(int(text))


def test_bad():
    with pytest.raises(ValueError):  # expectation-rewritten
        run("a b")
