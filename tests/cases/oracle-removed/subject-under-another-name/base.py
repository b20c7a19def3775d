from shop.core import total


def test_total():
    result = total([1, 2])
    assert result == 3
