from shop.core import Cart


def test_add():
    cart = Cart()
    cart.add(1)
    cart.add(2)
    assert cart.total() == 3
