from shop.core import find


def test_find():
    record = find("ada")
    assert record["age"] == 36
