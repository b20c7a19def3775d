import pytest

from shop.core import Cart


@pytest.fixture
def empty_cart():
    return Cart()

def test_add(empty_cart):
    empty_cart.add(1)
    assert empty_cart.items == [1]
