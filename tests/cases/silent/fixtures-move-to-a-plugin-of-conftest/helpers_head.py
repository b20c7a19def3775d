import pytest

from shop.core import Cart


@pytest.fixture
def cart():
    cart = Cart()
    cart.add(3)
    return cart
