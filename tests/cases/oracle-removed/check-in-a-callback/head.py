from unittest import mock

from shop.core import send


def test_send():
    def post(text, retries):
        pass

    client = mock.Mock()
    client.post = post
    assert send(client, "hi") is True
