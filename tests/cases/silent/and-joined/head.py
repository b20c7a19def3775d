from shop.core import names


def test_names():
    assert names()[0] == "ada" and names()[1] == "bob"
