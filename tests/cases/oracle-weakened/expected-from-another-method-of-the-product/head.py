from shop.core import Cart


def test_total():
    cart = Cart()
    cart.add(3)
    other = Cart()
    other.add(3)
    assert cart.total() == other.total()  # oracle-weakened
