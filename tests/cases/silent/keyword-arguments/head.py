from shop.core import price


def test_price():
    assert price(count=10, rate=2) == 20
