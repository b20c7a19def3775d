from shop.core import find, names


def test_find():
    found = find("ada")
    assert found["name"] == "Ada"
    assert found["age"] == 36


def test_names():
    assert names() == ["ada", "bob"]
