from shop.core import names


def test_a():
    found = names()
    found.sort()
    assert found == ["ada", "bob"]
