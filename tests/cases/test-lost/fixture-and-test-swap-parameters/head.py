import pytest

from shop.core import total


@pytest.fixture
def items():
    return [1, 2]

def test_total(items=(3,)):
    assert total(items) == 3  # expectation-rewritten
