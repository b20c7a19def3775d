from shop.core import price


def test_prices():
    assert {"one": price(1), "two": 2.4} == {"one": 1.2, "two": 2.4}
