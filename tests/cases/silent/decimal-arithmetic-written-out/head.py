from decimal import Decimal as D

from shop.core import gross


def test_gross():
    assert gross("10", "0") == D(10)
    assert gross("-5", "0") == -D("5.0")
    assert gross("7.25", "0") == D("7.00") + D("0.25")
