import pytest
from shop.core import Cart

@pytest.fixture
def cart():
    cart = Cart()
    yield cart
    assert cart.items == []

def test_cart(cart):
    cart.add(2)
    cart.items.clear()
    assert cart.total() == 0
