from shop.core import find, names


def test_names():
    found = names()
    assert found[0] == "ada"  # oracle-weakened
    assert found[1] == "bob"


def test_find():
    found = find("ada")
    assert len(found) == 2  # oracle-weakened
    assert found["name"] == "Ada"
