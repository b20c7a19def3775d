from unittest.mock import Mock

from shop.core import send


def test_send():
    client = Mock()
    send(client, "hi")
    _, kwargs = client.post.call_args
    assert kwargs["retries"] == 3
