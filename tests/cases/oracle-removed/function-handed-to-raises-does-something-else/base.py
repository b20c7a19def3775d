import operator

import pytest

from shop.core import Cart, double


def test_function():
    cart = Cart()

    def bad():
        cart.add(1)

    pytest.raises(ValueError, bad)


def test_item():
    cart = Cart()
    pytest.raises(TypeError, cart.__setitem__, "a", 1)


def test_sum():
    pytest.raises(TypeError, operator.add, double(1), None)  # oracle-removed
