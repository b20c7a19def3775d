from shop.core import find, names


def test_names():
    assert find("a") in names()
    assert find("b") in names()  # oracle-removed
