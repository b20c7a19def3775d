import pytest

from shop.core import Cart


class TestCart:
    @pytest.fixture(autouse=True)
    def setup(self):
        self.cart = Cart()
        yield
        assert self.cart.total() == 0  # oracle-removed

    def test_empty(self):
        assert self.cart.is_empty()
