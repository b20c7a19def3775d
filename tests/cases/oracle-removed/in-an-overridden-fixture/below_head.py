import pytest

from shop.core import double


@pytest.fixture
def numbers():
    found = double(2)
    return [found]


def test_doubled(doubled):
    assert len(doubled) == 1
