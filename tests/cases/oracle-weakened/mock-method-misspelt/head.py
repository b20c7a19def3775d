from unittest import mock

from shop.core import send


def test_send():
    client = mock.Mock()
    send(client, "hi")
    assert client.post.called_once_with("hi", retries=3)  # oracle-weakened
