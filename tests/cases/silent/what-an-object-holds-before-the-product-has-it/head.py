from shop.core import Cart


def test_total():
    cart = Cart()
    cart.items.append(1)
    cart.add(2)
    cart.remove(1)
    assert cart.items == [2]
