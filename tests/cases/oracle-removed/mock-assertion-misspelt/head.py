from unittest import mock

from shop.core import send


def test_send():
    client = mock.Mock(unsafe=True)
    assert send(client, "hi") is True
    client.post.asserted_called_once_with("hi", retries=3)
