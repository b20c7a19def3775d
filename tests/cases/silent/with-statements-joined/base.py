from unittest import mock

import pytest

from shop.core import ParseError, clock, parse


def test_send():
    with mock.patch("shop.core.clock") as clock:
        with pytest.raises(ParseError):
            parse("x")
    clock.assert_not_called()
