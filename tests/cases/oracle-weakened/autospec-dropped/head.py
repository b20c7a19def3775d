from unittest import mock

from shop.core import clock, double


@mock.patch("shop.core.clock")
def test_clock(clock):  # oracle-weakened
    double(1)
    clock.assert_not_called()
