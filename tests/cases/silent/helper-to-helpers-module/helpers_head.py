def check(cart, items):
    assert cart.items == items
