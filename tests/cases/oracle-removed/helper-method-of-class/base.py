from shop.core import Cart


class TestCart:
    def check(self, cart):
        assert cart.items == [1]  # oracle-removed
        assert cart.total() == 1

    def test_add(self):
        cart = Cart()
        cart.add(1)
        self.check(cart)
