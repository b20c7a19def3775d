from unittest.mock import Mock, call

from shop.core import send


def test_parts():
    client = Mock()
    send(client, "hi")
    client.post.assert_called_once_with("hi", retries=3)


def test_count():
    client = Mock()
    send(client, "ho")
    client.post.assert_called_once()
    client.close.assert_not_called()


def test_list():
    client = Mock(**{"post.return_value": 200})
    send(client, "hu")
    assert client.post.call_args_list == [call("hu", retries=3)]
