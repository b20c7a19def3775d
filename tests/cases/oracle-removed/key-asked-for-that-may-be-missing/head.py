from shop.core import find


def test_find():
    assert find("ada").get("name") is None
