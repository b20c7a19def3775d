from shop.core import Cart


def test_add():
    cart = Cart()
    cart.add(1)
    assert cart.items == [1]
    assert cart.total() == 1
