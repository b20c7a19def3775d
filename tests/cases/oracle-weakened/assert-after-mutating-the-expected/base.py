from shop.core import names


def test_names():
    wanted = ["ada", "bob"]
    assert names() == wanted
