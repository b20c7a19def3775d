from unittest.mock import Mock

import pytest

from shop.core import send


@pytest.fixture
def client():
    made = Mock(spec_set=["post"])
    made.post = Mock(name="post")
    return made


def test_send(client):
    assert send(client, "a") is True
    client.post.assert_called_once_with("a", retries=3)
