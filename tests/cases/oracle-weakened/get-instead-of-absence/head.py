from shop.core import find


def test_find():
    assert find("ada").get("phone") is None  # oracle-weakened
