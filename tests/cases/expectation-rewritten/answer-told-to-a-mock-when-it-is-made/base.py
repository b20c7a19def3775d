from unittest.mock import Mock

from shop.core import send


def test_send():
    client = Mock()
    client.post.return_value = 200
    assert send(client, "hi")
