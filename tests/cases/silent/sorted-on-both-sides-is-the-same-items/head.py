from shop.core import names


def test_names():
    assert sorted(names()) == ["ada", "bob"]
