from shop.core import total


def test_total():
    got = total([1, 2])
    print(got)
    assert got == 3
