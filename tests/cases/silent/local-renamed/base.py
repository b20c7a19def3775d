from shop.core import find


def test_find():
    record = find("ada")
    assert record["name"] == "Ada"
