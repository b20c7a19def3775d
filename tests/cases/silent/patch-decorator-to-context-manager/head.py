from unittest import mock

from shop.core import clock, double


def test_clock():
    with mock.patch("shop.core.clock") as clock:
        assert double(1) == 2
    clock.assert_not_called()
