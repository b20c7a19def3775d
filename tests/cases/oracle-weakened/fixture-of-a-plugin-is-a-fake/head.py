def test_total(cart):
    assert cart.total() == 3  # oracle-weakened
