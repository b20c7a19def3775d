from shop.core import price


def test_price():
    assert price(10) == 13.0  # expectation-rewritten
    assert price(1) == 1.3  # expectation-rewritten
