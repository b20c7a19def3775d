from shop.core import price


EPS = 0.5

def test_price():
    assert abs(price(10) - 12.0) < EPS  # oracle-weakened
