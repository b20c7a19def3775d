from shop.core import Cart


def test_add():
    cart = Cart()
    print("adding")
    cart.add(1)
    assert cart.total() == 1
