from shop.core import send


from unittest.mock import Mock

def test_send():
    client = Mock()
    send(client, "hi")
    client.post.assert_called_once_with("hi", retries=3)
