import pytest


from shop import core

@pytest.fixture
def items():
    return [1, 2]

def test_total(items):
    assert core.total(items) == 3
