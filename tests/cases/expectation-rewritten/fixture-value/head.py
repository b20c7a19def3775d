from shop.core import total


def test_total(items):
    assert total(items) == 3
