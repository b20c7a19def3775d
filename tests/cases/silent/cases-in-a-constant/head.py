import pytest

from shop.core import double


CASES = [(1, 2), (2, 4)]

@pytest.mark.parametrize("number, wanted", CASES)
def test_double(number, wanted):
    assert double(number) == wanted
