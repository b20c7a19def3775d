from shop.core import price


def test_price():
    assert price(2) > price(1)
    assert 0 < price(1)
