import pytest

from shop.core import Cart, total


@pytest.fixture
def cart():
    c = Cart()
    c.add(1)
    c.add(2)
    return c

def test_a(cart):
    assert cart.total() == 3
    cart.add(4)
    assert cart.total() == 7
