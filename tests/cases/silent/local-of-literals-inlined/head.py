def test_total():
    assert sum([15, 83, 12]) == 112
