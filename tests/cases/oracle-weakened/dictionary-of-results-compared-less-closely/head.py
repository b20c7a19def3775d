import pytest

from shop.core import price


def test_prices():
    found = {"one": price(1), "two": price(2)}
    assert found == pytest.approx({"two": 2.4, "one": 1.2}, abs=1)  # oracle-weakened
