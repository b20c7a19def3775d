from decimal import Decimal

from shop.core import gross


def test_gross():
    assert gross("7.25", "0") == Decimal("7.25")
