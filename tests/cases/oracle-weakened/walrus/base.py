from shop.core import total


def test_total():
    got = total([1, 2])
    assert got == 3
