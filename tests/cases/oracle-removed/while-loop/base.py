from shop.core import Cart


def test_count():
    cart = Cart()
    while len(cart.items) < 3:
        cart.add(1)
        assert cart.total() == len(cart.items)  # oracle-removed
    assert not cart.is_empty()
