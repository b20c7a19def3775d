from shop.core import total


def _test_total():
    assert total([1, 2]) == 3
