from shop.core import double


def test_sort():
    items = [3, 1, 2]
    items.sort()
    assert double(1) == 2
