import pytest

from shop.core import double


@pytest.mark.parametrize("number", [1, 2])
def test_double(number):
    assert double(number) == number + number  # test-lost
