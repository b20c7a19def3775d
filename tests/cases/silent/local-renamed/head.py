from shop.core import find


def test_find():
    person = find("ada")
    assert person["name"] == "Ada"
