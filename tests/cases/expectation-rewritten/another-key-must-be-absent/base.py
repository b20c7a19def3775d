from shop.core import find


def test_secret():
    assert "secret" not in find("ada")
