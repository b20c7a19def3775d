from shop import core


def test_price():
    assert core.price(2) == 2.4
