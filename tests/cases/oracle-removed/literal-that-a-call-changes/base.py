from shop.core import double


def test_sort():
    items = [3, 1, 2]
    items.sort()
    assert items == [1, 2, 3]  # oracle-removed
    assert double(1) == 2
