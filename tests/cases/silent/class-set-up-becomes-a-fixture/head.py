import pytest

from shop.core import Cart, double


def test_zero():
    assert double(0) == 0


@pytest.fixture(scope="module")
def cart():
    cart = Cart()
    cart.add(3)
    return cart


def test_total(cart):
    assert cart.total() == 3
