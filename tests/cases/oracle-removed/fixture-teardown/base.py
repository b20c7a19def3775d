import pytest

from shop.core import Cart


@pytest.fixture
def cart():
    cart = Cart()
    yield cart
    assert cart.is_empty() is False  # oracle-removed

def test_add(cart):
    cart.add(1)
    assert cart.items == [1]
