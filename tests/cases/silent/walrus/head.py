from shop.core import find


def test_find():
    assert (record := find("ada"))
    assert record["age"] == 36
