import pytest


@pytest.fixture
def items():
    return [3]
