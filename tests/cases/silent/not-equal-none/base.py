from shop.core import find


def test_find():
    assert find("bob") == None
    assert not find("ada") is None
