from shop.core import RATE, price


def test_price():
    assert price(1) == RATE  # oracle-weakened
