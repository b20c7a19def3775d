from shop.core import find


def test_find(snapshot):
    assert find("ada") == snapshot
