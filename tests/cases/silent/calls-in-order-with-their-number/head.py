from unittest.mock import Mock, call

from shop.core import send


def test_send():
    client = Mock()
    send(client, "a")
    send(client, "b")
    client.post.assert_has_calls([call("a", retries=3), call("b", retries=3)])
    assert client.post.call_count == 2
