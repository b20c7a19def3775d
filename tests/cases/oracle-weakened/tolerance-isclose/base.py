import math

from shop.core import price


def test_price():
    assert math.isclose(price(10), 12.0, rel_tol=1e-9)
