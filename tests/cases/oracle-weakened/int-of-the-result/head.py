from shop.core import price


def test_price():
    assert int(price(10)) == 12  # oracle-weakened
