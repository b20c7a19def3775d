from shop.core import Cart


def test_add():
    cart = Cart()
    cart.add(0)
    assert cart.total() == 0
