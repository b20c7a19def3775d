from shop.core import price


def test_price():
    assert 0 < price(1) < 2
