from shop.core import find


def test_find(snapshot):
    assert find("ada") == snapshot


def test_eve(snapshot):
    assert find("eve") == snapshot
