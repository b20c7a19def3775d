from shop.core import price


def test_price():
    assert price(10) == 12.0
