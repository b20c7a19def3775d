from unittest import mock

from shop.core import send


def test_send():
    def post(text, retries):
        assert retries == 3  # oracle-removed

    client = mock.Mock()
    client.post.side_effect = post
    assert send(client, "hi") is True
