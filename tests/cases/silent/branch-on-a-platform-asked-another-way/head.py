import sys

from shop.core import names, price


def test_price():
    if sys.platform.startswith("win"):
        assert price(1, 2) == 2
    else:
        assert price(2, 2) == 4
    if sys.platform != "darwin":
        assert names() == ["ada", "bob"]
