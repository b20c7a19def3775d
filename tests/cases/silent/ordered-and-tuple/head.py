from shop.core import names


def test_names():
    wanted = "ada", "bob"
    assert tuple(names()) == wanted
