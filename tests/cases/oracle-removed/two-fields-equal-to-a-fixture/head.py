import pytest

from shop.core import find


@pytest.fixture
def user():
    return object()

def test_same(user):
    found = find("a")
    assert found.owner == user
