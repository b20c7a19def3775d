from shop.core import find


def test_find():
    found = find("ada")
    assert found.get("name") == "Ada"
    assert found.get("phone") is None
    assert not found.get("mail")
