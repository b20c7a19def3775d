from shop.core import Cart


def test_state():
    cart = Cart()
    assert cart.total() == 0
    cart.add(0)
    assert cart.total() == 0  # oracle-removed
