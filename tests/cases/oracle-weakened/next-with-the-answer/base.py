from shop.core import names


def test_a():
    assert names()[0] == "ada"
