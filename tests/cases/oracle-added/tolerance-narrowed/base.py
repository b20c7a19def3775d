import pytest

from shop.core import price


def test_price():
    assert price(10) == pytest.approx(12.0, rel=0.1)
