from shop.core import find, names


def test_names():
    assert names() == ["ada", "bob"]


def test_none(snapshot):
    assert find("eve") == snapshot
