from shop.core import price


def test_price():
    assert price(1) == 1.2
    assert price(10) == 12.0  # oracle-removed
