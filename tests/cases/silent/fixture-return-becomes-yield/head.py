import pytest

from shop.core import Cart


@pytest.fixture()
def cart():
    cart = Cart()
    yield cart
    cart.items.clear()

def test_add(cart):
    cart.add(1)
    assert cart.items == [1]
