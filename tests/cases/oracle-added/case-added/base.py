import pytest

from shop.core import double


@pytest.mark.parametrize(("number", "wanted"), [(1, 2)])
def test_double(number, wanted):
    assert double(number) == wanted
