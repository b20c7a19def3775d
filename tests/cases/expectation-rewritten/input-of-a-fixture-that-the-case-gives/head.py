import pytest

from shop.core import double


@pytest.fixture
def made(kind):
    return double(kind)


@pytest.mark.parametrize("kind", [3, 2])
def test_a(made):
    assert made > 0
