from shop.core import price


def test_price():
    assert 11 < price(10) < 13
