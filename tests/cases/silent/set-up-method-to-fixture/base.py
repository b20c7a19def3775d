from shop.core import Cart


class TestCart:
    def setup_method(self):
        self.cart = Cart()

    def test_add(self):
        self.cart.add(1)
        assert self.cart.items == [1]
