from unittest import mock

from shop.core import send


def test_send():
    client = mock.Mock()
    send(client, "hi")
    assert client.post.call_args_list == [mock.call("hi", retries=3)]
