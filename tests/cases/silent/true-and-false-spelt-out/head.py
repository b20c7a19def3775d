from unittest import mock

from shop.core import send


def test_send():
    assert send(mock.Mock(), "hi") is True
