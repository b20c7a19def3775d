from unittest.mock import Mock

from shop.core import send


def test_send():  # expectation-rewritten
    client = Mock(**{"post.return_value": 500})
    assert send(client, "hi")
