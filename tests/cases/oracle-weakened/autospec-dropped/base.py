from unittest import mock

from shop.core import clock, double


@mock.patch("shop.core.clock", autospec=True)
def test_clock(clock):
    double(1)
    clock.assert_not_called()
