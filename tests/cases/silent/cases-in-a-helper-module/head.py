import pytest

from shop.core import double


from tests.helpers import CASES

@pytest.mark.parametrize("number, wanted", CASES)
def test_double(number, wanted):
    assert double(number) == wanted
