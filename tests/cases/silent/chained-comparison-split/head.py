from shop.core import price


def test_price():
    assert price(1) > 0
    assert price(1) < 2
