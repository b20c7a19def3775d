from unittest import mock

from shop.core import send


def test_send():
    client = mock.Mock()
    send(client, "hi")
    assert client.post.called  # oracle-weakened
