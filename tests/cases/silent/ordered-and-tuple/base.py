from shop.core import names


def test_names():
    assert tuple(names()) == ("ada", "bob")
