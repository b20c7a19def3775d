from unittest import mock

from shop.core import send


def test_send():
    client = mock.Mock()
    send(client, "hi")
    assert client.post.call_count == 1  # oracle-weakened
