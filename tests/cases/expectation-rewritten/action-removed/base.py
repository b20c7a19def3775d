from shop.core import Cart


def test_clear():
    cart = Cart()
    cart.add(1)
    cart.items.clear()
    assert cart.total() == 0
