from shop.core import find


def test_find():
    record = find("ada")
    assert record["age"] == record.get("age")  # oracle-weakened
