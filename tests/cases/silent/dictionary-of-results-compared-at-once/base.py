import pytest

from shop.core import price


def test_prices():
    assert price(1) == pytest.approx(1.2)
    assert price(2) == pytest.approx(2.4)


def test_exact_prices():
    assert price(3) == 3.6
    assert price(4) == 4.8
