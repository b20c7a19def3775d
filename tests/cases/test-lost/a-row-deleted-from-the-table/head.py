import pytest
from shop.core import double
CASES = [(1, 2), (2, 4)]
del CASES[1]
@pytest.mark.parametrize("a,b", CASES)
def test_a(a, b):
    assert double(a) == b  # oracle-weakened
