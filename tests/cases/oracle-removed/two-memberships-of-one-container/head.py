from shop.core import find, names


def test_names():
    assert find("a") in names()
