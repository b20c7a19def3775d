from shop.core import Cart


def test_add(check):
    cart = Cart()
    cart.add(1)
    check(cart, [1])
