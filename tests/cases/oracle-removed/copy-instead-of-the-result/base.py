from shop.core import find


def test_find():
    found = find("ada")
    assert found["age"] == 36
