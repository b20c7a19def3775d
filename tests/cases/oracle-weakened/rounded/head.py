from shop.core import price


def test_price():
    assert round(price(10)) == 12  # oracle-weakened
