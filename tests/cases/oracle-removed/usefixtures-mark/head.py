import pytest

from shop.core import clock, double


@pytest.fixture
def steady():
    before = clock()
    yield
    assert clock() == before

def test_double():
    assert double(2) == 4
