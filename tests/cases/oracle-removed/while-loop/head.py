from shop.core import Cart


def test_count():
    cart = Cart()
    while len(cart.items) < 3:
        cart.add(1)
    assert not cart.is_empty()
