from shop.core import total


def test_a():
    assert total([1, 2]) == sum([1, 2])
