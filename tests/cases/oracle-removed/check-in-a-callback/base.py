from unittest import mock

from shop.core import send


def test_send():
    def post(text, retries):
        assert text == "hi"  # oracle-removed

    client = mock.Mock()
    client.post = post
    assert send(client, "hi") is True
