from shop.core import Cart, total


def test_a():
    cart = Cart()
    cart.add(1)
    cart.add(2)
    assert cart.total() == 3
    cart.add(4)
    assert cart.total() == 7
