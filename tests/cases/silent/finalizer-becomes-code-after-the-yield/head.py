import pytest

from shop.core import Cart


@pytest.fixture
def cart():
    cart = Cart()
    yield cart
    assert cart.total() == 3


def test_add(cart):
    cart.add(1)
    cart.add(2)
