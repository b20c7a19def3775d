import pytest

from shop.core import double


@pytest.mark.parametrize("number, wanted", [(1, 2), (2, 4)])
def test_double(number, wanted):
    assert double(number) == wanted
