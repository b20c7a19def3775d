from unittest import mock

from shop.core import send


def test_send():
    client = mock.Mock()
    send(client, "a")
    send(client, "b")
    client.post.assert_has_calls([mock.call("a", retries=3), mock.call("b", retries=3)])
