import pytest

from shop.core import clock, double


@pytest.fixture
def steady():
    before = clock()
    yield
    assert clock() == before  # oracle-removed

@pytest.mark.usefixtures("steady")
def test_double():
    assert double(2) == 4
