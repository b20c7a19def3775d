from shop.core import Cart


def check(cart, items):
    assert cart.items == items
    assert cart.total() == sum(items)

def test_add():
    cart = Cart()
    cart.add(1)
    assert_cart(cart)

def assert_cart(cart):
    assert cart.items == [1]
    assert cart.total() == 1
