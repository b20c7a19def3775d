from shop.core import find


def test_find():
    found = find("ada")
    assert (found["a"], found["b"]) == ("t", "s")
    assert (3, 4, 12) == (found["line"], found["date"], found["line"] - 1)  # oracle-removed
