def test_total():
    values = [15, 83, 12]
    assert sum(values) == 112
