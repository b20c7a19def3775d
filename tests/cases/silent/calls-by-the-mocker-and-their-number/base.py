from unittest import mock

from shop.core import send


def test_calls(mocker):
    client = mocker.Mock()
    send(client, "a")
    assert client.post.call_args_list == [mock.call("a", retries=3)]


def test_number():
    client = mock.Mock()
    send(client, "b")
    assert len(client.post.call_args_list) == 1


def test_once():
    client = mock.Mock()
    send(client, "c")
    client.post.assert_called_once()
    assert client.post.call_args[0][0] == "c"
