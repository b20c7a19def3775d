from unittest.mock import Mock, call

from shop.core import send


def test_parts():
    client = Mock()
    send(client, "hi")
    args, kwargs = client.post.call_args
    assert args == ("hi",)
    assert kwargs["retries"] == 3


def test_count():
    client = Mock()
    send(client, "ho")
    assert client.post.call_count == 1
    assert not client.close.called


def test_list():
    client = Mock()
    client.post.return_value = 200
    send(client, "hu")
    client.post.assert_has_calls([call("hu", retries=3)])
