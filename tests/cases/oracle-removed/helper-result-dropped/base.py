from shop.core import Cart


def good(cart):
    return cart.items == [1]

def test_add():
    cart = Cart()
    cart.add(1)
    assert good(cart)  # oracle-removed
    assert cart.total() == 1
