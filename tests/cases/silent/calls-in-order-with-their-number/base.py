from unittest.mock import Mock, call

from shop.core import send


def test_send():
    client = Mock()
    send(client, "a")
    send(client, "b")
    assert client.post.call_args_list == [call("a", retries=3), call("b", retries=3)]
