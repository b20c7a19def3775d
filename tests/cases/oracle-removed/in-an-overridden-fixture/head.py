def test_nothing():
    assert sum([1]) == 1
