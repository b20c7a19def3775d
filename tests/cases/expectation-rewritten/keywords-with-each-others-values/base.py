from shop.core import price


def test_price():
    assert price(count=2, rate=3) == 6
