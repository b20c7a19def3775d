from shop.core import Cart


class TestCart:
    @staticmethod
    def check(cart, items):
        assert cart.items == items

    def test_add(self):
        cart = Cart()
        cart.add(1)
        self.check(cart, [1])
