from shop.core import find


def test_find():
    assert find("ada") == dict(name="Ada", age=36)
