from shop.core import names


def test_names():
    first, _ = names()
    assert first == "ada"
