from shop.core import Cart


class CartChecks:
    def test_total(self):
        assert self.make().total()  # oracle-weakened

class TestCart(CartChecks):
    def make(self):
        cart = Cart()
        cart.add(3)
        return cart
