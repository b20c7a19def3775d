from unittest.mock import Mock

from shop.core import send


def test_send():
    client = Mock()
    assert send(client, "a") is True
    client.get = Mock()
    client.get.assert_not_called()  # oracle-weakened
