from shop.core import RATE, price


def test_price():
    assert price(10) == 10 * RATE  # oracle-weakened
