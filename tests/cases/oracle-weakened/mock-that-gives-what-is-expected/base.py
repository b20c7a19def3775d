from unittest.mock import Mock

from shop.extra import post


def test_post():
    client = Mock()
    post(client, {"a": 1})
    client.send.assert_called_once_with('{"a": 1}')
