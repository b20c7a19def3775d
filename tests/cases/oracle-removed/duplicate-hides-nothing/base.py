from shop.core import Cart


def test_add():
    cart = Cart()
    assert cart.is_empty() is True  # oracle-removed
    cart.add(1)
    assert cart.is_empty() is False
