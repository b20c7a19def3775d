from shop.core import price


def test_price(rate=1.2):
    assert price(10, rate) == 12.0
