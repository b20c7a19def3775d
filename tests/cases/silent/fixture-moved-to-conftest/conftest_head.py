import pytest

from shop.core import Cart


@pytest.fixture
def cart():
    return Cart()
