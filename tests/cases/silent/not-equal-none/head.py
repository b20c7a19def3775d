from shop.core import find


def test_find():
    assert find("bob") is None
    assert find("ada") is not None
