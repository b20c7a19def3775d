import pytest

from shop.core import double


@pytest.mark.parametrize("wanted, number", [(4, 2), (2, 1)])
def test_double(number, wanted):
    assert double(number) == wanted
