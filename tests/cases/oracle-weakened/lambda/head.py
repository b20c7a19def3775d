from shop.core import total


def test_total():
    assert lambda: total([1, 2]) == 3
