import pytest

from shop.core import Cart


class TestCart:
    @pytest.fixture
    def setup(self):
        self.cart = Cart()
        yield
        assert self.cart.total() == 0

    def test_empty(self):
        assert Cart().is_empty()
