from unittest.mock import Mock

from shop.core import send


def test_send():
    client = Mock()
    send(client, "a")
    send(client, "b")
    assert client.post.call_count == 2
    texts = [one[0][0] for one in client.post.call_args_list]
    assert texts == ["a", "b"]
