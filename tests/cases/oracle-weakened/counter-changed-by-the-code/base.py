from shop.core import Cart


def test_add():
    seen = []
    cart = Cart()
    cart.add(1)
    seen.extend(cart.items)
    assert seen == [1]
