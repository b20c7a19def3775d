from shop.core import find


def test_find():
    found = find("ada")
    assert found["name"] == "Ada"
    assert "phone" not in found
    assert "mail" not in found
