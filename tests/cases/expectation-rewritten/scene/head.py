from shop.core import Cart


def test_add():
    cart = Cart()
    cart.add(30)
    assert cart.total() == 30  # expectation-rewritten
