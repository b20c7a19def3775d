from shop.core import total


def test_total():
    yield
    assert total([1, 2]) == 3
