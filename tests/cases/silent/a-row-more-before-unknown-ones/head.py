import pytest
from shop.core import double, names
CASES = [(0, 0), (1, 2)]
CASES += names()
@pytest.mark.parametrize("a,b", CASES)
def test_a(a, b):
    assert double(a) == b
