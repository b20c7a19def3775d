from shop.core import total


def test_a():
    assert total([1]) == 1  # oracle-removed
