import pytest

from shop.core import Cart, total


@pytest.fixture
def cart():
    c = Cart()
    c.add(1)
    yield c
    assert c.items == [1]  # oracle-removed

def test_a(cart):
    assert cart.total() == 1
