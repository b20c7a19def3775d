import pytest

from shop.core import Cart


@pytest.fixture
def cart():
    cart = Cart()
    yield cart
    assert cart.is_empty()


def test_add(cart):
    cart.add(1)
    cart.items.clear()
