from unittest.mock import Mock

from shop.core import send


def test_send():
    client = Mock()
    send(client, "a")
    send(client, "b")
    assert [one.args[0] for one in client.post.call_args_list] == ["a", "b"]
