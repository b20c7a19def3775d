def check_cart(cart):
    assert cart.items == [1]
