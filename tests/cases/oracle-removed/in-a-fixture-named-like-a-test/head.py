import pytest

from shop.core import double


class Client:
    def get(self, number):
        found = double(number)
        return found


@pytest.fixture
def test_client():
    return Client()


def test_one(test_client):
    test_client.get(1)


def test_two(test_client):
    test_client.get(2)
