from shop.core import Cart


def test_add():
    cart = Cart()
    assert cart.total() == 0  # expectation-rewritten
    cart.add(0)
