from unittest.mock import Mock

from shop.core import send


def test_send():
    client = Mock()
    send(client, "a")
    client.get.reset_mock()
    client.get.assert_not_called()  # oracle-weakened


def test_send_once():
    client = Mock()
    send(client, "a")
    client.reset_mock()
    assert client.get.call_count == 0  # oracle-weakened
