from shop.core import price


def test_price():
    assert price(1) == 12.0  # expectation-rewritten
    assert price(10) == 1.2  # expectation-rewritten
