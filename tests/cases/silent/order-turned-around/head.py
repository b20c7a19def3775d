from shop.core import price


def test_price():
    assert price(1) < price(2)
    assert price(1) > 0
