def check_cart(cart):
    assert cart.items == [1]
    assert cart.total() == 1  # oracle-removed
