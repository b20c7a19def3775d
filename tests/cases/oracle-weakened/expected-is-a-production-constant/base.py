from shop.core import price


def test_price():
    assert price(1) == 1.2
