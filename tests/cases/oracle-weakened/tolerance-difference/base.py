from shop.core import price


def test_price():
    assert abs(price(10) - 12.0) < 0.001
