from shop.core import total


def test_total():
    assert callable(total)
