from shop.core import find


def test_find():
    assert find("ada").get("age", 36) == 36  # oracle-weakened
