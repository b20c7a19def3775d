import pytest

from shop.core import price


def test_price():
    assert {"price": price(10)} == {"price": pytest.approx(12, rel=1)}  # oracle-weakened
    assert {"other": price(20)} == {"other": pytest.approx(24)}  # oracle-weakened
