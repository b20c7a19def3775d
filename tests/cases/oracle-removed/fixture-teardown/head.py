import pytest

from shop.core import Cart


@pytest.fixture
def cart():
    return Cart()

def test_add(cart):
    cart.add(1)
    assert cart.items == [1]
