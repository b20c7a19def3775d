from shop.core import Cart


def test_add(checked):
    cart = Cart()
    cart.add(1)
    checked(cart)
