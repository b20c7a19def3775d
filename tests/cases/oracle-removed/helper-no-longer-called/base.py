from shop.core import Cart


def check(cart):
    assert cart.items == [1]  # oracle-removed

def test_add():
    cart = Cart()
    cart.add(1)
    check(cart)
    assert cart.total() == 1
