import pytest

from shop.core import Cart


class Fake:
    def total(self):
        return 0


class TestShop:
    @pytest.fixture(autouse=True)
    def setup(self):
        self.cart = Cart()
        yield
        self.cart = Fake()

    def test_one(self):
        assert self.cart.total() == 0
