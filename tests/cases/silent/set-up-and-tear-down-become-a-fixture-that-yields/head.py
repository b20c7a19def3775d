import pytest

from shop.core import Cart


class TestShop:
    @pytest.fixture(autouse=True)
    def setup(self):
        self.cart = Cart()
        yield
        self.cart = None

    def test_many(self):
        assert self.cart.is_empty()
        self.cart.add(3)
        assert self.cart.total() == 3


class TestOther:
    @pytest.fixture(autouse=True)
    def cart_of_each_test(self):
        self.cart = Cart()
        yield
        self.cart = None

    def test_one(self):
        assert self.cart.total() == 0
