import pytest

from shop.core import Cart


class TestCart:
    @pytest.fixture(autouse=True)
    def make(self):
        self.cart = Cart()

    def test_add(self):
        self.cart.add(1)
        assert self.cart.items == [1]
