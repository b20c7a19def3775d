from unittest import mock

from shop.core import double


def test_send():
    with mock.patch("shop.core.warn_old") as warn:
        assert double(2) == 4
    assert warn.call_count == 0
