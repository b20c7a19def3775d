from shop.core import Cart


def check(cart, items=(1,)):
    assert cart.items == list(items)

def test_add():
    cart = Cart()
    cart.add(1)
    check(cart)
