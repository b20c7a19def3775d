from shop.core import names


def test_names():
    found = names()
    assert found[0] == "ada"
    assert found[1] == "bob"
