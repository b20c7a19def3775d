from unittest import mock

from shop.core import send


def test_flag():
    done = False

    def post(text, retries):
        nonlocal done
        done = True

    client = mock.Mock()
    client.post = post
    send(client, "hi")
    assert done
