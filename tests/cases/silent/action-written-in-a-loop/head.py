from shop.core import Cart


def test_add():
    cart = Cart()
    for item in (1, 2):
        cart.add(item)
    assert cart.total() == 3
