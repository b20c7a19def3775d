from shop.core import Cart


def test_cart():
    cart = Cart()
    assert cart.items == []
    assert not cart.items
