from shop.core import Cart


def check(cart, items):
    assert cart.items == items

class TestCart:
    def test_add(self):
        cart = Cart()
        cart.add(1)
        check(cart, [1])
