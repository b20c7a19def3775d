import pytest

from shop.core import price


def test_prices():
    assert price(1) == pytest.approx(1.2)
    assert price(2) == pytest.approx(2.4)
