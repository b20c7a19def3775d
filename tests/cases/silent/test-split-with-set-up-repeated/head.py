from shop.core import Cart


def test_cart_items():
    cart = Cart()
    cart.add(1)
    assert cart.items == [1]

def test_cart_total():
    cart = Cart()
    cart.add(1)
    assert cart.total() == 1
