import pytest

from shop.core import Cart


@pytest.fixture
def cart():
    cart = Cart()
    assert cart.is_empty()  # expectation-rewritten
    yield cart


def test_add(cart):
    cart.add(1)
    cart.items.clear()
