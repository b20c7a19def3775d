from shop.core import Cart


from tests import helpers

def test_add():
    cart = Cart()
    cart.add(1)
    helpers.check(cart, [1])
