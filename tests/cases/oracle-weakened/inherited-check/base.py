from shop.core import Cart


class CartChecks:
    def test_total(self):
        assert self.make().total() == 3

class TestCart(CartChecks):
    def make(self):
        cart = Cart()
        cart.add(3)
        return cart
