from shop.core import find, names


def test_both(snapshot):
    assert find("ada") == snapshot
    assert names() == snapshot


def test_none(snapshot):
    assert find("eve") == snapshot
