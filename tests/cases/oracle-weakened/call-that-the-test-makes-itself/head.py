from unittest.mock import Mock

from shop.core import send


def test_send():
    client = Mock()
    send(client, "hi")
    client.post("hi", retries=3)
    client.post.assert_any_call("hi", retries=3)  # oracle-weakened
