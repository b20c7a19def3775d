from shop.core import names


def test_names():
    first, second = names()
    assert first == "ada"
    assert second == "bob"
