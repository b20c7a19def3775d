import pytest

from shop.core import double


@pytest.fixture
def numbers():
    found = double(2)
    assert found == 4  # oracle-removed
    return [found]


def test_doubled(doubled):
    assert len(doubled) == 1
