from shop.core import Cart, names


def test_cart():
    cart = Cart()
    cart.add(1)
    assert cart.total() == 1


def test_names():
    assert names()[0] == "ada"
    assert len(names()[1:]) == 1
