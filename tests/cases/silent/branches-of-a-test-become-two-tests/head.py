import pytest

from shop.core import price


@pytest.mark.parametrize("rate", [None, 2])
def test_price(rate):
    assert price(1, rate or 3) > 0


def test_negative_price():
    assert price(1, -2) == -2
