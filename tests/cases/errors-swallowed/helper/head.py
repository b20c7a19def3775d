from shop.core import Cart


def check(cart):
    try:
        assert cart.items == [1]  # errors-swallowed
    except AssertionError:
        return False
    return True

def test_add():
    cart = Cart()
    cart.add(1)
    check(cart)
