from shop.core import names


def test_names():
    assert names()[0] == "ada"
