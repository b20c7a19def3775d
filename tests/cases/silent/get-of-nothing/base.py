from shop.core import find


def test_a():
    assert find("ada")["age"] == 36
