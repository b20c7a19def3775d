from unittest.mock import Mock

from shop.core import send


def test_with():
    client = Mock()
    send(client, "hi")
    client.post.assert_called_with("hi", retries=3)


def test_parts():
    client = Mock()
    send(client, "ho")
    assert client.post.call_args.kwargs["retries"] == 3
