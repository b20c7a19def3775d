from shop.core import Cart


def test_clear():
    cart = Cart()
    assert cart.total() == 0  # expectation-rewritten
