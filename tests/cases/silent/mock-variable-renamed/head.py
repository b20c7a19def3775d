from unittest import mock

from shop.core import send


def test_send():
    web = mock.Mock()
    send(web, "hi")
    web.post.assert_called_once_with("hi", retries=3)
