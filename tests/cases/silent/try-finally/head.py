from shop.core import Cart


def test_add():
    cart = Cart()
    try:
        cart.add(1)
        assert cart.items == [1]
    finally:
        cart.items.clear()
