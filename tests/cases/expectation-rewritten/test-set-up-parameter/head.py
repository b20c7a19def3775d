from shop.core import price


def test_price():
    assert price(10, rate=1) == 10  # expectation-rewritten
