import pytest

from shop.core import Cart, total


@pytest.fixture
def cart():
    c = Cart()
    c.add(1)
    return c

def test_a(cart):
    assert cart.total() == 1
