from shop.core import double, total


def test_total():
    assert double(1) == 2
    assert total([1, 2]) == 3
