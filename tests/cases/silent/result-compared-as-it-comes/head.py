from shop.core import names


def test_a():
    found = names()
    assert found == ["ada", "bob"]
