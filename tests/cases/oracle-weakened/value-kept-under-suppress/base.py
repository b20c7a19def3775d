from shop.core import total


def test_a():
    n = total([1])
    assert n == 1
