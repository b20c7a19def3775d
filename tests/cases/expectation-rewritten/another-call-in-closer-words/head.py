from unittest.mock import Mock

from shop.core import send


def test_with():
    client = Mock()
    send(client, "hi")
    client.post.assert_called_once_with("hello", retries=3)  # expectation-rewritten


def test_parts():
    client = Mock()
    send(client, "ho")
    client.post.assert_called_once_with("ho", retries=4)  # expectation-rewritten
