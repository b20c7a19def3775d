from shop.core import Cart


def check(cart, items, strict=False):
    if strict:
        assert cart.items == items

def test_add():
    cart = Cart()
    cart.add(1)
    check(cart, [1])
