from unittest import mock

from shop.core import send


def test_send():
    client = mock.Mock()
    send = mock.Mock(return_value=True)
    assert send(client, "hi") is True  # oracle-weakened
