from shop.core import price


def test_price():
    assert price(count=3, rate=2) == 6  # expectation-rewritten
