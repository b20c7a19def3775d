from shop.core import Cart


def test_total():
    cart = Cart()
    cart.add(2)
    assert cart.items == [2]
