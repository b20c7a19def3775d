from shop.core import Cart, total


def check(cart, *, items, total):
    assert cart.items == items
    assert cart.total() == total

def test_add():
    cart = Cart()
    cart.add(1)
    check(cart, total=1, items=[1])
