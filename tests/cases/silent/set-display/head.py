from shop.core import names


def test_names():
    assert set(names()) == {"bob", "ada"}
