from shop.core import Cart, total


def test_a():
    cart = Cart()
    cart.add(1)
    cart.add(2)
    assert cart.total() == 3
    assert cart.total() == 7  # expectation-rewritten
