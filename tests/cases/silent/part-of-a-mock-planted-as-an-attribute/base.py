from unittest.mock import Mock

import pytest

from shop.core import send


@pytest.fixture
def client():
    return Mock(post=Mock())


def test_send(client):
    assert send(client, "a") is True
    client.post.assert_called_once_with("a", retries=3)
