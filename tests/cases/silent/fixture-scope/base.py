import pytest

from shop.core import total


@pytest.fixture
def items():
    return [1, 2]

def test_total(items):
    assert total(items) == 3
