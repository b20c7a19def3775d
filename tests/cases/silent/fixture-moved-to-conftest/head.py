def test_add(cart):
    cart.add(1)
    assert cart.items == [1]
