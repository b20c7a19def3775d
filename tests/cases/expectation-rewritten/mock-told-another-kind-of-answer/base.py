from unittest.mock import Mock

from shop.core import send


def test_send():
    client = Mock()
    client.post.side_effect = [ConnectionError("reset"), 204]
    assert send(client, "a") is True
