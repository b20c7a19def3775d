from shop.core import send


from unittest import mock

def test_send():
    client = mock.Mock()
    send(client, "hi")
    client.post.assert_called_once_with("hi", retries=3)
