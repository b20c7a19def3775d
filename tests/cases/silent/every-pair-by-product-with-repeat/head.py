import itertools

import pytest

from shop.core import price


@pytest.mark.parametrize(("count", "rate"), itertools.product([1, 2], repeat=2))
def test_price(count, rate):
    assert price(count, rate) == count * rate
