from unittest.mock import Mock

from shop.core import send


def test_send():  # expectation-rewritten
    client = Mock()
    client.post.side_effect = [503, 204]
    assert send(client, "a") is True
