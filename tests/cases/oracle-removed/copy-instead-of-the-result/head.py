def test_find():
    found = {"age": 36}
    assert found["age"] == 36  # oracle-weakened
