import pytest

from shop.core import Cart, double


def test_function():
    cart = Cart()
    with pytest.raises(ValueError):  # expectation-rewritten
        cart.items.remove(1)


def test_item():
    cart = Cart()
    with pytest.raises(TypeError):  # expectation-rewritten
        {cart: 1}["a"] = [cart] + 1


def test_sum():
    with pytest.raises(TypeError):
        1 + None
    double(1)
