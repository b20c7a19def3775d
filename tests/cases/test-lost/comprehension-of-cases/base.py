import pytest

from shop.core import double


@pytest.mark.parametrize("number", [n for n in (1, 2, 3)])
def test_double(number):
    assert double(number) == number + number  # test-lost
