import pytest

from shop.core import Cart


@pytest.fixture
def cart(request):
    cart = Cart()

    def check():
        assert cart.total() == 3

    request.addfinalizer(check)
    return cart


def test_add(cart):
    cart.add(1)
    cart.add(2)
