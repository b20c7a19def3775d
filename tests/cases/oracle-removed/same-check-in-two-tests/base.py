from shop.core import Cart


def test_one():
    cart = Cart()
    cart.add(1)
    assert not cart.is_empty()  # oracle-removed
    assert cart.total() == 1

def test_two():
    cart = Cart()
    cart.add(2)
    assert not cart.is_empty()
    assert cart.total() == 2
