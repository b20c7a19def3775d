from shop.core import Cart


def test_state():
    cart = Cart()
    cart.add(0)
    assert cart.total() == 0
