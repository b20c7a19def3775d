from unittest import mock

from shop.core import send


def test_calls(mocker):
    client = mock.Mock()
    send(client, "a")
    client.post.assert_called_once_with("a", retries=3)
