import pytest
from shop.core import Cart

@pytest.fixture
def cart():
    cart = Cart()
    yield cart
    cart.items.clear()
    assert cart.items == []  # oracle-weakened

def test_cart(cart):
    cart.add(2)
    cart.items.clear()
    assert cart.total() == 0
