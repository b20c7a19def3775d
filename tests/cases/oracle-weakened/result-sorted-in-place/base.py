from shop.core import names


def test_a():
    assert names() == ["ada", "bob"]
