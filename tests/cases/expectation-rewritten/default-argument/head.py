from shop.core import price


def test_price(rate=2):
    assert price(10, rate) == 20.0  # expectation-rewritten
