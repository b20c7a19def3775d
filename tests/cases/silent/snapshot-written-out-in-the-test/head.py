from shop.core import find, names


def test_both():
    assert find("ada") == {"name": "Ada", "age": 36}
    assert names() == ["ada", "bob"]


def test_none(snapshot):
    assert find("eve") == snapshot
