from shop.core import find


def test_find():
    found = find("ada") or {"age": 36}
    assert found["age"] == 36  # oracle-weakened
