import pytest

from shop import core


@pytest.fixture(autouse=True)
def offline():
    assert core.clock() == 12
