from shop.core import find


def test_a():
    assert find("ada") == {"name": "Ada", "age": 36}
