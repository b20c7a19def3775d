from shop.core import find


def test_find():
    assert {"name": "Ada"}.items() <= find("ada").items()
