from unittest import mock

from shop.core import send


SEEN = []

def note(text, retries):
    SEEN.append(text)

def test_callback():
    client = mock.Mock()
    client.post = note
    assert send(client, "hi") is True
    assert SEEN == ["hi"]  # oracle-removed
