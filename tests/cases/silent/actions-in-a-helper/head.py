from shop.core import Cart, total


def fill(cart, *items):
    for one in items:
        cart.add(one)

def test_a():
    cart = Cart()
    fill(cart, 1, 2)
    assert cart.total() == 3
    cart.add(4)
    assert cart.total() == 7
