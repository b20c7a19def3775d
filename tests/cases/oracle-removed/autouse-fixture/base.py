import pytest

from shop.core import clock, double


@pytest.fixture(autouse=True)
def steady():
    before = clock()
    yield
    assert clock() == before  # oracle-removed

def test_double():
    assert double(2) == 4
