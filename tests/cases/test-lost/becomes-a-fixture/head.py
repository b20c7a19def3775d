import pytest

from shop.core import double, total


@pytest.fixture
def test_total():
    assert total([1, 2]) == 3

def test_double():
    assert double(1) == 2
