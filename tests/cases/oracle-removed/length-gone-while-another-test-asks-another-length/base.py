from shop.core import Cart, names


def test_cart():
    cart = Cart()
    cart.add(1)
    assert len(cart.items) == 1  # oracle-removed
    assert cart.total() == 1


def test_names():
    assert names()[0] == "ada"
