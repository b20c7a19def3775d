import pytest

from shop.core import price


@pytest.mark.parametrize("rate", [None, 2, -2])
def test_price(rate):
    if rate is None or rate > 0:
        assert price(1, rate or 3) > 0
    else:
        assert price(1, rate) == -2
