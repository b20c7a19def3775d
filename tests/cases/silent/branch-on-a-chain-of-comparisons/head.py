import pytest

from shop.core import price


def test_middle_price():
    assert price(1, 4) == 4


@pytest.mark.parametrize("rate", [1, 9])
def test_price(rate):
    assert price(2, rate) == 2 * rate
