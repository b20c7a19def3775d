import pytest

from shop.core import price


@pytest.mark.parametrize("rate", [1, 4, 9])
def test_price(rate):
    if 2 <= rate < 5:
        assert price(1, rate) == 4
    else:
        assert price(2, rate) == 2 * rate
