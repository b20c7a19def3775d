from unittest import mock

from shop.core import send


class Client:
    def post(self, text, retries): ...

def test_send():  # oracle-weakened
    client = mock.Mock()
    send(client, "hi")
    client.post.assert_called_once_with("hi", retries=3)
