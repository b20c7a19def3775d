from shop.core import price


def test_price():
    assert round(abs(price(1) - 1.2), 2) == 0  # oracle-weakened
