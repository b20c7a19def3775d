import pytest

from shop.core import price


def test_prices():
    found = {"one": price(1), "two": price(2)}
    assert found == pytest.approx({"two": 2.4, "one": 1.2})


def test_exact_prices():
    assert {"three": price(3), "four": price(4)} == dict(three=3.6, four=4.8)
