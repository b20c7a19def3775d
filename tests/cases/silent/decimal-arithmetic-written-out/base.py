from decimal import Decimal

from shop.core import gross


def test_gross():
    assert gross("10", "0") == Decimal("10")
    assert gross("-5", "0") == Decimal("-5.0")
    assert gross("7.25", "0") == Decimal("7.25")
