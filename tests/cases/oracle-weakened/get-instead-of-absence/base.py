from shop.core import find


def test_find():
    assert "phone" not in find("ada")
