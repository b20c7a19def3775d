import pytest


def same_items(left, right):
    assert left == right

@pytest.fixture
def same():
    return same_items
