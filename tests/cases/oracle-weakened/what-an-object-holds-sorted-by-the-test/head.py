from shop.core import *
from shop import core
def test_cart():
    cart = Cart()
    cart.add(2)
    cart.add(1)
    cart.items.sort(reverse=True)
    assert cart.items == [2, 1]  # oracle-weakened
    assert cart.total() == 3
