import re

from shop.core import names, price


def test_price():
    assert re.search("a+", names()[0]) is not None
    assert re.search("z+", names()[0]) is None
    assert round(abs(price(1) - 1.2), 7) == 0
    assert round(abs(price(2) - 2.4), 3) == 0


def test_start():
    assert re.match("ad", names()[0])
