from unittest import mock

from shop.core import send


def test_send():
    client = mock.Mock()
    send(client, "hi")
    client.post.assert_called_once_with("hi", retries=3)
