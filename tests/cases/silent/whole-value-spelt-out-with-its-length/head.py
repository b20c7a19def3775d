from shop.core import find, names


def test_names():
    found = names()
    assert len(found) == 2
    assert found[0] == "ada"
    assert found[1] == "bob"


def test_find():
    found = find("ada")
    assert len(found) == 2
    assert found["name"] == "Ada"
    assert found["age"] == 36


def test_pair():
    first, second = tuple(names())
    assert first == "ada"
    assert second == "bob"
