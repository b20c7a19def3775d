import pytest

from shop.core import Cart


def make_cart(*items):
    cart = Cart()
    for item in items:
        cart.add(item)
    yield cart
    assert not cart.is_empty()


@pytest.fixture
def cart():
    for made in make_cart(1, 2):
        yield made


def pairs():
    for cart in make_cart(3):
        yield cart, 3


def test_total(cart):
    assert cart.total() == 3
    assert cart.items == [1, 2]
    for one, wanted in pairs():
        assert one.total() == wanted
