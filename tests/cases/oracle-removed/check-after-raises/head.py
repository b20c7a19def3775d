import pytest

from shop.core import Cart


def test_add():
    cart = Cart()
    with pytest.raises(TypeError):
        cart.add()
