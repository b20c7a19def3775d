from unittest import mock

from shop.core import send


def test_callback():
    seen = []

    def post(text, retries):
        seen.append(text)

    client = mock.Mock()
    client.post = post
    send(client, "hi")
    assert len(seen) < 5  # oracle-weakened
