from shop.core import double, total


def test_total():
    assert 3 == total([1, 2])
    assert double(2) == 4
