from shop.core import names, price


def test_price():
    assert price(1) == 1.2
