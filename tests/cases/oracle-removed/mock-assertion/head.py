from unittest import mock

from shop.core import send


def test_send():
    client = mock.Mock()
    assert send(client, "hi") is True
