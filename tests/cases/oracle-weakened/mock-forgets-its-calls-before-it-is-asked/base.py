from unittest.mock import Mock

from shop.core import send


def test_send():
    client = Mock()
    send(client, "a")
    client.get.assert_not_called()


def test_send_once():
    client = Mock()
    send(client, "a")
    assert client.get.call_count == 0
