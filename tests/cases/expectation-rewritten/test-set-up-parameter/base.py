from shop.core import RATE, price


def test_price():
    assert price(10, rate=RATE) == 12.0
