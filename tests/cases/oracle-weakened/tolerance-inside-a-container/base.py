import pytest

from shop.core import price


def test_price():
    assert {"price": price(10)} == {"price": pytest.approx(12)}
    assert {"other": price(20)} == {"other": 24}
