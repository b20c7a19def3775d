from shop.core import price, total


def test_total():
    assert total([1000, 2000]) == 3000
    assert price(10) == 12.0
