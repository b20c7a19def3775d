from shop.core import double, price


def test_price():
    assert price(count=double(1), rate=3) == 6
