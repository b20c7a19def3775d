import pytest


@pytest.fixture
def numbers():
    return [1]


@pytest.fixture
def doubled(numbers):
    return numbers
