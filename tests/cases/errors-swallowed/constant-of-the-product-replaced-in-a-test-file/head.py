from shop import core

core.RATE = 1.3  # errors-swallowed


def test_price():
    assert core.price(2) == 2.4
