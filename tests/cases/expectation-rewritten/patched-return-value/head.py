from shop.core import clock, price
from unittest import mock
from shop import core


def test_a():  # expectation-rewritten
    with mock.patch("shop.core.clock", return_value=4):
        assert core.price(2) == 2.4
