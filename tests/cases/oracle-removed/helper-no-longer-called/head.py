from shop.core import Cart


def check(cart):
    assert cart.items == [1]

def test_add():
    cart = Cart()
    cart.add(1)
    assert cart.total() == 1
