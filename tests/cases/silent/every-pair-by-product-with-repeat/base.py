import pytest

from shop.core import price


@pytest.mark.parametrize("rate", [1, 2])
@pytest.mark.parametrize("count", [1, 2])
def test_price(count, rate):
    assert price(count, rate) == count * rate
