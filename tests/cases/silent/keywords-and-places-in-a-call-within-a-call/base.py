from shop.core import double, price


def test_price():
    assert price(double(number=1), rate=3) == 6
