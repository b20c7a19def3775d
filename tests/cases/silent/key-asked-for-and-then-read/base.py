from shop.core import find


def test_find():
    assert "name" in find("ada")
    assert find("ada")["name"] == "Ada"
