from shop.core import find, names


def test_names(snapshot):
    assert names() == snapshot


def test_none(snapshot):
    assert find("eve") == snapshot
