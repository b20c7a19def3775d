from shop.core import total


def test_total():
    items = [1, 2]
    assert total(items) == 3
