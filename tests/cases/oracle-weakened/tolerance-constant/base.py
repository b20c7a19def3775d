from shop.core import price


EPS = 1e-9

def test_price():
    assert abs(price(10) - 12.0) < EPS
