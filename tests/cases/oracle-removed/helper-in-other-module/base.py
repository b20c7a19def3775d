from shop.core import Cart


from tests.helpers import check_cart

def test_add():
    cart = Cart()
    cart.add(1)
    check_cart(cart)
