from shop.core import Cart, total


def check(cart, **wanted):
    for name, value in wanted.items():
        assert getattr(cart, name)() == value  # oracle-removed

def test_add():
    cart = Cart()
    cart.add(1)
    check(cart, total=1, is_empty=False)
