from shop.core import find


def test_find():
    assert "name" in find("ada")  # oracle-removed
    assert find("ada").get("name") is None
