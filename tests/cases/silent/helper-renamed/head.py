from shop.core import Cart


def assert_holds(cart, items):
    assert cart.items == items

def test_add():
    cart = Cart()
    cart.add(1)
    assert_holds(cart, items=[1])
