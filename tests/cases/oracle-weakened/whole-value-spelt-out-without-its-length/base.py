from shop.core import find, names


def test_names():
    assert names() == ["ada", "bob"]


def test_find():
    assert find("ada") == {"name": "Ada", "age": 36}
