import pytest
from shop.core import double
CASES = [(1, 2), (2, 4)]
CASES = CASES + [(3, 6)]
@pytest.mark.parametrize("a,b", CASES)
def test_a(a, b):
    assert double(a) == b
