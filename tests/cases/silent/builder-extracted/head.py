from shop.core import Cart


def cart_of(*items):
    cart = Cart()
    for item in items:
        cart.add(item)
    return cart

def test_add():
    assert cart_of(1, 2).total() == 3
